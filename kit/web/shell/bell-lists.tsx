import { formatCount } from '../numbers.tsx'
import { StatusIcon } from '../status.tsx'
import { relativeText } from '../date-format.ts'
import type { WaitingItem } from '../workbench.ts'
import type { Message } from './host.ts'

const maxPerKind = 6

/** What waits for this person, the most urgent first. */
export const WaitingList = ({
  items,
  onOpen,
}: {
  readonly items: readonly WaitingItem[]
  readonly onOpen: (path: string) => void
}) => (
  <ul>
    {items.map(item => (
      <li key={item.key}>
        <button type="button" onClick={() => onOpen(item.path)}>
          <span style={{ color: `var(--${item.tone})` }}>
            <StatusIcon tone={item.tone} />
          </span>
          <span>
            {item.title} <b className="figure">{formatCount(item.count)}</b>
            {item.detail && <small>{item.detail}</small>}
          </span>
          <time>{item.oldestText}</time>
        </button>
      </li>
    ))}
  </ul>
)

/** Messages by kind, in the order of each kind's newest. */
export const MessageSections = ({
  messages,
  onOpen,
}: {
  readonly messages: readonly Message[]
  readonly onOpen: (m: Message) => void
}) =>
  [...Map.groupBy(messages, m => m.kind)].map(([kind, all]) => (
    <section key={kind} aria-label={kind}>
      <h3>
        {kind}
        {all.some(m => !m.read) && <small className="figure">{all.filter(m => !m.read).length}</small>}
      </h3>
      <ul>
        {all.slice(0, maxPerKind).map(message => (
          <li key={message.id}>
            <button type="button" data-read={message.read || undefined} onClick={() => onOpen(message)}>
              <span style={{ color: `var(--${message.tone})` }}>
                <StatusIcon tone={message.tone} />
              </span>
              <span>
                {message.title}
                {message.text && <small>{message.text}</small>}
              </span>
              <time>{relativeText(message.at)}</time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ))
