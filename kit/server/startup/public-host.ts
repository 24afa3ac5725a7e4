/** Whether other machines reach what listens there: everything but this machine's own addresses. */
export const isPublicHost = (host: string): boolean =>
  !/^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
