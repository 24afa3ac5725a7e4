import { labelOf } from '#kit/contract/field.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { exclusionReason } from '../contract/choices.ts'
import { countMassSms, type sendPropertySms } from '../contract/task.ts'

type Draft = NonNullable<typeof sendPropertySms.input.T>
type Counted = NonNullable<typeof countMassSms.output.T>

/** Who falls out, and why. */
const exclusionsOf = ({ excluded }: Counted): string =>
  excluded
    .map(({ reason, count }) => `${labelOf(exclusionReason, reason)} ${formatCount(count)} 人`)
    .join('、')

function Summary({ counted, draft }: { readonly counted: Counted; readonly draft: Draft }) {
  const [sample] = counted.samples
  return (
    <>
      <p>
        共 {formatCount(counted.people)} 人，可送达 {formatCount(counted.numberCount)} 人
        {counted.excluded.length > 0 && `；不发送：${exclusionsOf(counted)}`}
      </p>
      {counted.totalSegments > 0 && (
        <p>
          预计 {formatCount(counted.totalSegments)} 条短信，余量 {formatCount(counted.usableCount)} 条
        </p>
      )}
      <p>
        {draft.sendTime ? `定时 ${draft.sendTime.slice(0, 16)} 发送` : '确认后立即发送'}；营销在 8:00–21:00
        发送
      </p>
      {sample && <p>示例：{sample.content}</p>}
    </>
  )
}

/** SMS-2: counted before it is sent. Whom nothing reaches is left to the server, which refuses it. */
export async function confirmSending(draft: Draft): Promise<boolean> {
  const { channel, purpose, templateId, content, scopeType, scopeJson } = draft
  const counted = await send(
    countMassSms,
    { channel, purpose, templateId, content, scopeType, scopeJson },
    { quiet: true },
  )
  if (!counted.numberCount) return true
  return confirm({
    title: `发送给 ${formatCount(counted.numberCount)} 人？`,
    text: <Summary counted={counted} draft={draft} />,
    okLabel: `发送给 ${formatCount(counted.numberCount)} 人`,
    cancelLabel: '返回修改',
    isBackSafe: true,
  })
}
