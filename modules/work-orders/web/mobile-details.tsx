import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Images } from '#kit/web/images.tsx'
import { Money } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { send } from '#kit/web/send.ts'
import { revealPersonalData } from '#modules/accounts/contract/operation-log.ts'
import { getFileUrls } from '#modules/system/contract/file.ts'
import { orderAction, orderState } from '../contract/choices.ts'
import type { OrderRecord } from '../contract/record.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'

const urlLifetime = 45 * 60_000

const useUrls = (keys: readonly string[]) =>
  useCall(getFileUrls, { keys: [...keys] }, { quiet: true, enabled: keys.length > 0, staleMs: urlLifetime })

function Videos({ keys }: { readonly keys: readonly string[] }) {
  const urls = useUrls(keys)
  if (!keys.length || !urls.data) return null
  return urls.data.map((file, i) => (
    // A recording has no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      className="job-video"
      key={file.key}
      src={file.url}
      aria-label={`视频 ${i + 1}`}
      controls
      playsInline
      preload="metadata"
    />
  ))
}

function Photos({ keys }: { readonly keys: readonly string[] }) {
  const urls = useUrls(keys)
  if (!keys.length || !urls.data) return null
  return <Images images={urls.data.map(file => file.url)} size={72} />
}

/** The number stays masked until it is dialled; that it was asked for is logged (PERM-7). */
function PhoneNumber({ order }: { readonly order: WorkOrder }) {
  const [full, setFull] = useState<string>()
  const [fault, setFault] = useState<string>()
  const { reporterPhone } = order
  if (reporterPhone === undefined) return null
  const number = full ?? (reporterPhone.includes('*') ? undefined : reporterPhone)
  const reveal = async (): Promise<void> => {
    try {
      setFull(
        await send(
          revealPersonalData,
          { entity: 'workOrder', entityId: order.id, field: 'reporterPhone' },
          { quiet: true, project: 0 },
        ),
      )
    } catch (error) {
      setFault(describeRefusal(error, '网络已断开，不能查看号码'))
    }
  }
  return (
    <>
      {number === undefined ? (
        <button type="button" className="big" onClick={() => void reveal()}>
          {reporterPhone} 查看号码
        </button>
      ) : (
        <a className="big call" href={`tel:${number}`}>
          拨打 {number}
        </a>
      )}
      {fault && (
        <small className="fault" role="alert">
          {fault}
        </small>
      )}
    </>
  )
}

/** What is to be done, for whom and until when. */
export function MobileDetails({ order }: { readonly order: WorkOrder }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['位置', order.address],
    ['状态', labelOf(orderState, order.state)],
    ['报事人', order.reporterName],
    ['预约时间', order.appointTime?.slice(0, 16)],
    ['完成时限', order.finishDeadline?.slice(0, 16)],
    ['挂起原因', order.state === 'suspended' ? order.suspendReason : undefined],
    ['预计恢复', order.state === 'suspended' ? order.resumeTime?.slice(0, 16) : undefined],
    [
      '延期申请',
      order.extensionState === 'waiting' ? `至 ${order.extensionDeadline?.slice(0, 16)}，待批准` : undefined,
    ],
    ['处理结果', order.resultText],
  ]
  return (
    <>
      <p className="job-content">{order.content}</p>
      <Photos keys={order.photos ?? []} />
      <Videos keys={order.videos ?? []} />
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        {order.totalCost > 0 && (
          <div>
            <dt>费用合计</dt>
            <dd>
              <Money fen={order.totalCost} withSymbol />
            </dd>
          </div>
        )}
        {order.isWarranty && (
          <div>
            <dt>费用</dt>
            <dd>质保内免费</dd>
          </div>
        )}
      </dl>
      <PhoneNumber order={order} />
    </>
  )
}

/** What has happened to the order, the newest first. */
export function MobileRecords({ records }: { readonly records: readonly OrderRecord[] }) {
  return (
    <section aria-label="流转">
      <h2>流转</h2>
      <ul className="flow">
        {records.toReversed().map(record => (
          <li key={record.id}>
            <b>{labelOf(orderAction, record.action)}</b>
            <small>
              {record.operatorName} · {relativeText(record.actionTime)}
            </small>
            {record.personName && <p>处理人：{record.personName}</p>}
            {record.content && <p>{record.content}</p>}
            <Photos keys={record.photos ?? []} />
          </li>
        ))}
      </ul>
    </section>
  )
}
