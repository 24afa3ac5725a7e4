import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { getOwnOpening, type OwnAccess } from '../contract/own-access.ts'

const againMs = 1000
export const offlineText = '网络不通，请检查网络后重试'

type OwnDoorway = OwnAccess['doorways'][number]

interface Sent {
  readonly doorwayId: Id
  readonly ticket: string
}

/** What the device answers; until then only that it was sent. */
function OpeningResult({ ticket }: { readonly ticket: string }) {
  const [hasEnded, setEnded] = useState(false)
  const { data, error } = useCall(
    getOwnOpening,
    { ticket },
    { quiet: true, project: 0, staleMs: 0, refetchMs: hasEnded ? false : againMs },
  )
  if (data?.hasEnded && !hasEnded) {
    setEnded(true)
  }
  if (data?.hasEnded && data.state === 'done') return <Status tone="done">门已打开</Status>
  if (data?.hasEnded) return <Status tone="bad">{`门未打开：${data.reason ?? '设备未在时限内答复'}`}</Status>
  if (error) return <Status tone="bad">{`结果未知：${describeRefusal(error, offlineText)}`}</Status>
  return <Status tone="doing">已发送，等待设备执行</Status>
}

interface DoorwaysProps {
  readonly access: OwnAccess
  readonly open: (doorwayId: Id) => Promise<{ readonly ticket: string }>
}

/** The doors that open now, each with its button; how it ended stands below it. */
export function OwnDoorways({ access, open }: DoorwaysProps) {
  const [sent, setSent] = useState<Sent>()
  const [sendingId, setSendingId] = useState<Id>()
  const [fault, setFault] = useState<{ readonly doorwayId: Id; readonly text: string }>()
  const run = async ({ id }: OwnDoorway): Promise<void> => {
    setSendingId(id)
    setSent(undefined)
    setFault(undefined)
    try {
      setSent({ doorwayId: id, ticket: (await open(id)).ticket })
    } catch (error) {
      setFault({ doorwayId: id, text: describeRefusal(error, offlineText) })
    } finally {
      setSendingId(undefined)
    }
  }
  if (!access.doorways.length) return <p className="empty">{access.refusal ?? '当前没有可开的门'}</p>
  return (
    <ul className="own-doorways" aria-label="可开的门">
      {access.doorways.map(doorway => (
        <li key={doorway.id}>
          <div>
            <b>{doorway.doorwayName}</b>
            <small>{doorway.isOnline ? doorway.reason : '设备离线，请刷卡或扫码'}</small>
          </div>
          <button
            type="button"
            className="big primary"
            aria-label={`${sendingId === doorway.id ? '正在发送' : '开门'}：${doorway.doorwayName}`}
            disabled={!doorway.isOnline || sendingId !== undefined}
            onClick={() => void run(doorway)}
          >
            {sendingId === doorway.id ? '正在发送' : '开门'}
          </button>
          {sent?.doorwayId === doorway.id && (
            <p role="status">
              <OpeningResult key={sent.ticket} ticket={sent.ticket} />
            </p>
          )}
          {fault?.doorwayId === doorway.id && (
            <p className="fault" role="alert">
              {fault.text}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
