import { createRefSource, type PickerProps } from '#kit/web/refs.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { send } from '#kit/web/send.ts'
import { findRooms, listRooms } from '../../contract/room.ts'
import { AreaPicker, MultiRoomPicker, RoomPicker, type RoomPickerProps } from '../room-picker.tsx'

/**
 * Rooms and shops of the form's project, or of the one chosen above; over all projects one is chosen in the
 * whole tree.
 */
function Picker({ value, multiple, max, formValues, onDone }: PickerProps) {
  const currentProject = useProject()
  const project = typeof formValues.projectCode === 'string' ? formValues.projectCode : currentProject
  const confirm: RoomPickerProps['onDone'] = rooms =>
    onDone(rooms?.map(r => ({ value: r.code, label: r.path, note: r.room.estateName })))
  if (multiple) return <MultiRoomPicker max={max} value={value} projectCode={project} onDone={confirm} />
  return project ? (
    <RoomPicker scene="roomShop" value={value} projectCode={project} onDone={confirm} />
  ) : (
    <AreaPicker value={value} onDone={confirm} />
  )
}

const scopeOf = (values: Readonly<Record<string, unknown>>) => ({
  sceneType: 'roomShop' as const,
  ...(values.projectCode ? { projectCode: String(values.projectCode) } : {}),
})

export default createRefSource(listRooms, {
  value: r => r.code,
  label: r => r.path ?? '',
  note: r => r.estateName,
  disabledReason: r => (r.state === 'off' ? '已停用' : undefined),
  find: (keyword, values) => send(findRooms, { keyword, size: 50, ...scopeOf(values) }, { quiet: true }),
  inputFromContext: scopeOf,
  dependsOn: ['projectCode'],
  inputForValues: codes => ({ codes: [...codes] }),
  picker: Picker,
})
