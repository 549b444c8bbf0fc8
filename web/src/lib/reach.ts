/** Whether this name leads to the device itself, so that a link with it is of no use to anybody else. */
export function isOnlyHere(hostname: string): boolean {
  return /^(.+\.)?localhost$|^\[::1\]$|^127(\.\d+){3}$/.test(hostname);
}
