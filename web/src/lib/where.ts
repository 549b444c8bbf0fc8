// Where this page runs: in which folder of which server, and whether its tables are in this browser. Only this knows.

export interface Where {
  /** The app's folder as a path: that of its files, and of the server's API if there is one. */
  folder: string;
  /** Whether the tables are in this browser: then it needs no server once its files are loaded. */
  here: boolean;
  /** The path of the start page. With tables in this browser all other pages are in its query, so that any file server
      finds the page again. */
  start: string;
}

/** In a server's app, the page with the tables in this browser. */
const HERE = "here/";

/** `script`: the address of any script of the build. `marked`: the page itself says that it runs its own tables. */
export function whereOf(script: string, path: string, marked: boolean): Where {
  const folder = new URL("../", script).pathname;
  if (marked) return { folder, here: true, start: folder };
  const here = path.startsWith(folder + HERE);
  return { folder, here, start: here ? folder + HERE : folder };
}

function found(): Where {
  if (typeof document === "undefined" || typeof location === "undefined") return whereOf("file:///assets/x.js", "/", false);
  // During development, scripts are where they were written.
  const script = import.meta.env.DEV ? new URL("/assets/x.js", location.href).href : import.meta.url;
  const marked = document.querySelector('meta[name="genial"]')?.getAttribute("content") === "here";
  return whereOf(script, location.pathname, marked);
}

export const where = found();

/** The address of a page of the app: "/rules/classic#goal". */
export function addressOf(page: string, { here, start } = where): string {
  if (!here) return start.slice(0, -1) + page;
  const [, path = "", query = "", part = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(page) ?? [];
  const asked = [path === "/" ? "" : path, query].filter(Boolean).join("&");
  return start + (asked && `?${asked}`) + part;
}

/** The page of an address, as a path and its query; null if it does not belong to the app. */
export function pageOf({ pathname, search }: { pathname: string; search: string }, at = where): [path: string, query: string] | null {
  if (at.here) {
    if (pathname !== at.start && pathname !== `${at.start}index.html`) return null;
    if (!search.startsWith("?/")) return ["/", search.slice(1)];
    const [path = "/", ...query] = search.slice(1).split("&");
    return [path, query.join("&")];
  }
  if (!pathname.startsWith(at.start)) return null;
  const path = pathname.slice(at.start.length - 1);
  return path.startsWith("/api/") || path.startsWith(`/${HERE}`) ? null : [path, search.slice(1)];
}

/** In a server's app, the page with the tables in this browser. */
export const hereAt = where.folder + HERE;

/** Whether this is that page, so that the server has tables as well. */
export const isBesideServer = where.here && where.start === hereAt;
