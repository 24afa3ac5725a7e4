import { Link } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'

const ownKeys = /^planned-work\.own\.(?!standard$)/

interface Waiting {
  readonly key: string
  readonly title: string
  readonly count: number
  readonly path: string
}

/** The own tasks of other kinds among all that waits, each with its page. */
export function OtherKinds({ queues }: { readonly queues: readonly Waiting[] }) {
  const waiting = queues.filter(({ key }) => ownKeys.test(key))
  if (!waiting.length) return null
  return (
    <nav className="other-phones" aria-label="其他任务">
      {waiting.map(({ key, title, count, path }) => (
        <Link key={key} to={path} className="big">
          {title} {count}
        </Link>
      ))}
    </nav>
  )
}

/** The pages of other kinds on which the person has something to do today. */
export function OtherPhones() {
  const { data } = useCall(getWorkQueues, undefined, { quiet: true })
  return data ? <OtherKinds queues={data.queues} /> : null
}
