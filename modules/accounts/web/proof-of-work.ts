/**
 * Solves a task of the server in a worker, so that the page stays usable; about a second. Rejects when the
 * signal aborts or the browser cannot.
 */
export function solveTask(challenge: string, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string>((resolve, reject) => {
    const fail = (): void => reject(new Error('安全校验失败，请刷新页面后重试'))
    worker.addEventListener('message', (event: MessageEvent<string | null>) =>
      event.data === null ? fail() : resolve(event.data),
    )
    worker.addEventListener('error', fail)
    signal.addEventListener('abort', fail)
    worker.postMessage(challenge)
  }).finally(() => worker.terminate())
}
