// For development only: sample tables of every variant (make them with scripts/samples.py), chosen by the
// address: /src/demo/#classic/2 middle?theme=dark&palette=grey&language=de&held=0&move=RB@f6,f7&heat

import { mount } from "svelte";
import "../lib/look/base.css";
import Demo from "./Demo.svelte";
import type { Samples } from "./samples";

const answer = await fetch("/src/demo/samples.json");
const samples = (await answer.json()) as Samples;
const target = document.getElementById("app");
if (target) mount(Demo, { target, props: { samples } });
