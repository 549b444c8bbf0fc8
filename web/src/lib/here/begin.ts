// Tables in this browser: two workers, one for the rules and one for searches, and the port to them. The page never
// waits for either.

import { goBy } from "../net/http";
import { type KeptAnswers, type News, Port } from "../net/port";
import { prefs } from "../prefs.svelte";
import { where } from "../where";
import { engine } from "./engine.svelte";

/** Use the tables of this browser from now on. */
export function begin(): void {
  const port = new Port({ language: () => prefs.language, answers: firstAnswers(), onNews });
  goBy(port);
  engine.again = () => start(port);
  start(port);
}

/** The answers stored when the site was built; without them the engine answers. */
async function firstAnswers(): Promise<KeptAnswers> {
  try {
    const answer = await fetch(`${where.folder}answers.json`);
    return answer.ok ? ((await answer.json()) as KeptAnswers) : {};
  } catch {
    return {};
  }
}

function onNews(news: News): void {
  if (news.type === "progress") {
    engine.loaded = news.loaded;
    engine.total = news.total;
  } else engine.state = news.type;
}

function start(port: Port): void {
  const rules = new Worker(new URL("../../page/rules.worker.ts", import.meta.url), { type: "module", name: "rules" });
  const search = new Worker(new URL("../../page/search.worker.ts", import.meta.url), { type: "module", name: "search" });
  const { port1, port2 } = new MessageChannel();
  const base = new URL(where.folder, location.href).href;
  engine.state = "loading";
  engine.loaded = engine.total = 0;
  port.attach(rules);
  rules.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (data.type === "failed") end();
  });
  rules.onerror = search.onerror = () => {
    if (engine.state === "failed") return;
    port.lose();
    engine.state = "failed";
    end();
  };
  const end = (): void => {
    rules.terminate();
    search.terminate();
  };
  search.postMessage({ type: "begin", base }, [port2]);
  rules.postMessage({ type: "begin", base, language: prefs.language }, [port1]);
}
