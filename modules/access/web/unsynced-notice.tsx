import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { itemState } from '#modules/devices/contract/choices.ts'
import type { Holder } from '#modules/residents/web/public.holder-rights.ts'
import { credentialKind } from '../contract/choices.ts'
import { listUnsynced } from '../contract/unsynced.ts'

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }
const shownLines = 5

type Unsynced = NonNullable<typeof listUnsynced.output.T>[number]

const lineText = ({ kind, number, doorwayName, deviceName, reason }: Unsynced): string =>
  [labelOf(credentialKind, kind), number, doorwayName, deviceName, reason].filter(Boolean).join(' · ')

interface NoticeProps {
  readonly holder: Holder
  /** What stands there once nothing is open; nothing without it. */
  readonly doneText?: string | undefined
}

/** Until devices are as they should be: what of somebody's credentials they lack or still have, and why. */
export function UnsyncedNotice({ holder, doneText }: NoticeProps) {
  const { data } = useCall(listUnsynced, holder, { quiet: true, staleMs: 0 })
  useLiveRefetch(liveDevices, [listUnsynced])
  if (!data?.length) return data && doneText !== undefined ? <p role="status">{doneText}</p> : null
  const isRemoving = data.some(({ state }) => state === 'removing')
  return (
    <section className="access-unsynced" role="status" aria-label="未同步的凭证">
      <p>{isRemoving ? '设备尚未全部更新，待删除的凭证仍可能开门' : '设备尚未全部更新'}</p>
      <ul>
        {data.slice(0, shownLines).map(item => (
          <li key={lineText(item)}>
            <Status tone={itemState.rows[item.state][2] ?? 'off'}>{labelOf(itemState, item.state)}</Status>
            {lineText(item)}
          </li>
        ))}
      </ul>
      {data.length > shownLines && <p>另有 {data.length - shownLines} 项</p>}
    </section>
  )
}
