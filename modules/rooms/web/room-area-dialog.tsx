import { useMemo } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { roomAreaKeys, changeRoomAreas } from '../contract/room-change.ts'
import type { Room } from '../contract/room.ts'
import { withChargeArea } from '../domain/room-areas.ts'
import { roomChangeNotices } from './public.actions.ts'
import { getRoomById } from './room-kinds.ts'

const groups = [
  {
    keys: [...roomAreaKeys, { key: 'effectiveDate', help: '自该日起按新面积计费；可填以后的日期' }, 'reason'],
  },
]

type AreaInput = NonNullable<typeof changeRoomAreas.input.T>

/** Only changed areas are sent. An empty charge area is the build area (BASE-7). */
const changedAreas = (room: Room, values: AreaInput): AreaInput => {
  const completed = withChargeArea(values)
  const unchanged = roomAreaKeys.filter(k => room[k] === completed[k])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left out is optional
  return Object.fromEntries(
    Object.entries(completed).filter(([k]) => !unchanged.some(key => key === k)),
  ) as unknown as AreaInput
}

/** New figures from a day on (BASE-7). */
export function RoomAreaDialog({ room, onClose }: { readonly room: Room; readonly onClose: () => void }) {
  const change = useSend(changeRoomAreas, { quiet: true })
  const initial = useMemo(
    () => ({
      id: room.id,
      version: room.version,
      ...Object.fromEntries(roomAreaKeys.map(k => [k, room[k]])),
    }),
    [room],
  )
  return (
    <EditDialog
      shape={changeRoomAreas.input}
      draftKey={draftKeyOf(changeRoomAreas, room.id)}
      title={`变更面积「${room.path}」`}
      groups={groups}
      initial={initial}
      submitLabel="变更面积"
      presentation="dialog"
      save={values => change.mutateAsync(changedAreas(room, values))}
      onClose={onClose}
      loadCurrent={async () => ({ ...(await send(getRoomById, { id: room.id })) })}
      onDone={() => {
        toast.success(`已登记「${room.path}」的面积变更`)
        onClose()
        roomChangeNotices.all().forEach(notify => void notify({ ...room, code: room.code ?? '' }))
      }}
    />
  )
}
