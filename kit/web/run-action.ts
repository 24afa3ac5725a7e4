import { RequestFailure } from './send.ts'
import { toast } from './toast.ts'

/** Reported elsewhere already: the end of the session by the login page, an empty answer by its own toast. */
const reportedStatuses: ReadonlySet<number> = new Set([401, 204])

/**
 * Runs what a person has clicked, and returns whether it succeeded. The request layer reports refusals itself
 * but passes on failed requests without a message (0§8): they are reported here, or a click would have no
 * visible effect.
 */
export async function runAction(run: () => unknown): Promise<boolean> {
  try {
    await run()
    return true
  } catch (e) {
    if (e instanceof RequestFailure && !reportedStatuses.has(e.status)) {
      toast.error(
        e.status === 0 ? `${e.message}，无法连接服务器，请重试` : `服务器繁忙（错误 ${e.status}），请重试`,
      )
    }
    return false
  }
}
