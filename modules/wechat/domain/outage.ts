/** What a mass message shows as its reason while the platform is asked again. */
export const retryingFault = '微信服务器未答复或繁忙，正在自动重试；可以取消群发'

const firstPauseMs = 2000
const maxPauseMs = 60_000
/** A job that waits keeps other long tasks of its company waiting. */
const giveUpMs = 15 * 60_000

/** How long the platform has been away, and when it is asked again. */
export class Outage {
  #since: number | undefined
  #tries = 0

  /** Nothing once it has been away for too long. */
  nextPauseMs(nowMs: number): number | undefined {
    this.#since ??= nowMs
    if (nowMs - this.#since >= giveUpMs) return undefined
    this.#tries += 1
    return Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#tries - 1))
  }

  end(): void {
    this.#since = undefined
    this.#tries = 0
  }
}
