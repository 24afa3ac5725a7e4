import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import { countMassReceivers } from '../contract/mass.ts'

/** How many would get the message, before it is sent. */
export function MassCount({
  accountId,
  estateCodes,
}: {
  readonly accountId: Id
  readonly estateCodes: readonly string[]
}) {
  const { data, isError } = useCall(
    countMassReceivers,
    { accountId, estateCodes },
    { quiet: true, keepPrevious: true },
  )
  if (isError) return <p role="status">请选择来源项目后查看人数</p>
  if (!data) return <p role="status">正在计算人数…</p>
  const { followers, receivers, outOfQuota } = data
  return (
    <p role="status">
      关注者 {followers} 人，可发送 {receivers} 人{outOfQuota > 0 && `，${outOfQuota} 人已达微信的群发次数`}
    </p>
  )
}
