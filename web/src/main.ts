import "./lib/look/base.css";
import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { installing } from "./lib/here/install.svelte";
import { where } from "./lib/where";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
installing.listen();
// The page is shown before its tables are ready.
const begun = where.here ? import("./lib/here/begin").then(({ begin }) => begin()) : Promise.resolve();
mount(App, { target, props: { begun } });
