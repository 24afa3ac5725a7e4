import { fromInstant } from '#kit/domain/moment.ts'
import { canRetry, signNameOf } from './queued-sign.ts'
import type { SignQueue } from './sign-queue.ts'

/** What was not counted, with the reason, until the person has read it or sends it again. */
export const RefusedSigns = ({ signs }: { readonly signs: SignQueue }) =>
  signs.refused.length ? (
    <div className="notes" role="alert">
      {signs.refused.map(sign => (
        <div key={sign.uuid}>
          <p>
            {fromInstant(sign.deviceMs).slice(11, 16)} {signNameOf(sign)}：{sign.refusal}
          </p>
          {canRetry(sign) && (
            <button type="button" className="big" onClick={() => signs.retry(sign)}>
              重试
            </button>
          )}
          <button type="button" className="big" onClick={() => signs.drop(sign)}>
            {canRetry(sign) ? '放弃' : '知道了'}
          </button>
        </div>
      ))}
    </div>
  ) : null
