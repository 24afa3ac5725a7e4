import { RequestFailure } from './send.ts'
import { toast } from './toast.ts'

/** Told elsewhere already: the session's end by the door, an empty answer by its own word. */
const reportedStatuses: ReadonlySet<number> = new Set([401, 204])

/**
 * Runs what a person has clicked, and answers whether it went through. The request layer tells refusals
 * itself but passes on without a word what was no answer at all (0§8): said here, or a click would have no
 * effect that anybody sees.
 */
export async function runAction(run: () => unknown): Promise<boolean> {
  try {
    await run()
    return true
  } catch (e) {
    if (e instanceof RequestFailure && !reportedStatuses.has(e.status)) {
      toast.error(
        e.status === 0 ? `${e.message}，没有连上服务器，请重试` : `服务器繁忙（错误 ${e.status}），请重试`,
      )
    }
    return false
  }
}
