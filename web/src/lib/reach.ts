/** Whether a host name refers to this device itself, so that a link with it is useless to anybody else. */
export function isOnlyHere(hostname: string): boolean {
  return /^(.+\.)?localhost$|^\[::1\]$|^127(\.\d+){3}$/.test(hostname);
}
