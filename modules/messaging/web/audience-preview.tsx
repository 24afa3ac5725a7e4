import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { toError } from '#kit/domain/to-error.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { audienceFaults, type Audience } from '../contract/audience.ts'
import {
  exclusionReason,
  messageChannel,
  type MessageChannel,
  type MessagePurpose,
} from '../contract/choices.ts'
import { countRecipients } from '../contract/message.ts'
import { variableFault } from '../domain/template.ts'
import { useVariables } from './use-variables.ts'
import './audience.css'

type Counted = NonNullable<typeof countRecipients.output.T>

export interface AudiencePreviewProps {
  readonly audience: Partial<Audience>
  readonly channels: readonly MessageChannel[]
  readonly purpose?: MessagePurpose | undefined
  /** With variables; without it only people are counted. */
  readonly text?: string | undefined
  /** The name of the template that the text is of. */
  readonly template?: string | undefined
}

const Channels = ({ counted }: { readonly counted: Counted }) => (
  <>
    {counted.channels.map(({ channel, reachable, excluded }) => (
      <section key={channel}>
        <h3>
          {labelOf(messageChannel, channel)}：可送达 {formatCount(reachable)} 人
        </h3>
        {excluded.length > 0 && (
          <ul>
            {excluded.map(({ reason, count }) => (
              <li key={reason}>
                {labelOf(exclusionReason, reason)} {formatCount(count)} 人
              </li>
            ))}
          </ul>
        )}
      </section>
    ))}
  </>
)

function Cost({ counted }: { readonly counted: Counted }) {
  if (!counted.segments) return null
  const isShort = counted.segments > counted.usable
  return (
    <p className={isShort ? 'short' : undefined}>
      预计 {formatCount(counted.segments)} 条短信，余量 {formatCount(counted.usable)} 条
      {isShort && '，不足，请先购买短信'}
    </p>
  )
}

const Samples = ({ counted }: { readonly counted: Counted }) =>
  counted.samples.length > 0 && (
    <>
      <h3>示例</h3>
      {counted.samples.map((sample, i) => (
        <div key={i} className="sample">
          {sample.name} {sample.room} {sample.address}
          <br />
          {sample.content}
        </div>
      ))}
    </>
  )

/** Why nothing can be counted yet. */
function useDisabledReason({ audience, channels, text, template }: AudiencePreviewProps): string | undefined {
  const { scopeType = 'all', scopeJson } = audience
  const variables = useVariables(audience)
  if (!channels.length) return '请选择发送渠道'
  const [fault] = audienceFaults({ scopeType, scopeJson })
  return fault?.Message ?? (text ? variableFault(text, variables, template) : undefined)
}

function Counter(props: AudiencePreviewProps) {
  const { audience, channels, purpose, text } = props
  const [counted, setCounted] = useState<Counted>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { scopeType = 'all', scopeJson } = audience
  const disabledReason = useDisabledReason(props)
  const count = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    setCounted(undefined)
    try {
      const input = { scopeType, ...(scopeJson ? { scopeJson } : {}), channels, purpose, text }
      setCounted(await send(countRecipients, input, { quiet: true }))
    } catch (error) {
      setFault(toError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="audience-preview">
      <Button
        loading={isBusy}
        disabled={disabledReason !== undefined}
        title={disabledReason}
        onClick={() => void count()}
      >
        统计接收人
      </Button>
      {disabledReason && <p>{disabledReason}</p>}
      {fault && <p role="alert">{fault}</p>}
      {counted && (
        <div aria-live="polite">
          <p>共 {formatCount(counted.people)} 人</p>
          <Channels counted={counted} />
          <Cost counted={counted} />
          <Samples counted={counted} />
        </div>
      )}
    </div>
  )
}

/**
 * Who will get the message, who falls out and why, what it costs, and ten messages as they will be: counted
 * again once anything of it changes.
 */
export const AudiencePreview = (props: AudiencePreviewProps) => {
  const { audience, channels, purpose, text } = props
  return <Counter key={JSON.stringify([audience, channels, purpose, text])} {...props} />
}
