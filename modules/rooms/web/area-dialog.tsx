import { useMemo } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { areaKeys, changeAreas } from '../contract/change.ts'
import type { Room } from '../contract/room.ts'
import { withChargeArea } from '../domain/areas.ts'
import { oneById } from './kinds.ts'

const groups = [
  { keys: [...areaKeys, { key: 'effectiveDate', help: '从这天起按新面积计费；可以是以后的日期' }, 'reason'] },
]

type Said = NonNullable<typeof changeAreas.input.T>

/**
 * Only what was changed is said: a charge area that is the build area goes along with it. An emptied one is
 * the build area.
 */
const said = (room: Room, v: Said): Said => {
  const full = withChargeArea(v)
  const same = areaKeys.filter(k => room[k] === full[k])
  return Object.fromEntries(
    Object.entries(full).filter(([k]) => !same.includes(k as never)),
  ) as unknown as Said
}

/** New figures from a day on (BASE-7). */
export function AreaDialog({ room, onClose }: { readonly room: Room; readonly onClose: () => void }) {
  const change = useSend(changeAreas, { quiet: true })
  const initial = useMemo(
    () => ({ id: room.id, version: room.version, ...Object.fromEntries(areaKeys.map(k => [k, room[k]])) }),
    [room],
  )
  return (
    <EditDialog
      of={changeAreas.input}
      title={`变更面积「${room.path}」`}
      groups={groups}
      initial={initial}
      words="变更面积"
      as="dialog"
      save={v => change.mutateAsync(said(room, v))}
      onClose={onClose}
      load={async () => ({ ...(await send(oneById, { id: room.id })) })}
      onDone={() => {
        toast.success(`已登记「${room.path}」的面积变更`)
        onClose()
      }}
    />
  )
}
