// Where we are: the address is the only place that knows, so that a reload returns to it.

export type Route =
  | { page: "start" }
  | { page: "new"; variant: string | null; mode: string | null }
  | { page: "table"; id: string; watch: string | null }
  | { page: "join"; code: string }
  | { page: "rules"; variant: string }
  | { page: "unknown" };

/** The page of an address. */
export function routeOf(path: string, search = ""): Route {
  const [first, second, ...rest] = path.split("/").filter(Boolean).map(decoded);
  const query = new URLSearchParams(search);
  if (rest.length) return { page: "unknown" };
  if (first === undefined) return { page: "start" };
  if (first === "new") return { page: "new", variant: second ?? null, mode: query.get("mode") };
  if (first === "table" && second) return { page: "table", id: second, watch: query.get("watch") };
  if (first === "rules" && second) return { page: "rules", variant: second };
  if (first === "join" && second) return { page: "join", code: second };
  return { page: "unknown" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const links = {
  start: "/",
  new: (variant: string, mode = "") => `/new/${encodeURIComponent(variant)}${mode && `?mode=${mode}`}`,
  table: (id: string) => `/table/${encodeURIComponent(id)}`,
  watch: (id: string, code: string) => `/table/${encodeURIComponent(id)}?watch=${encodeURIComponent(code)}`,
  rules: (variant: string) => `/rules/${encodeURIComponent(variant)}`,
  join: (code: string) => `/join/${encodeURIComponent(code)}`,
};

class Place {
  here = $state<Route>({ page: "start" });

  constructor() {
    if (typeof window === "undefined") return;
    const read = (): void => {
      this.here = routeOf(location.pathname, location.search);
    };
    read();
    addEventListener("popstate", read);
    // Links are plain links; those that stay here need no new page.
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.hasAttribute("download")) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const url = new URL(link.href, location.href);
      if (url.origin !== location.origin || url.pathname.startsWith("/api/") || url.hash) return;
      event.preventDefault();
      this.go(url.pathname + url.search);
    });
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.here = routeOf(location.pathname, location.search);
    scrollTo(0, 0);
  }
}

export const place = new Place();
