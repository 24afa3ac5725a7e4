import { refOf, type PickerProps } from '#kit/web/refs.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listRooms } from '../../contract/room.ts'
import { RoomPicker } from '../room-picker.tsx'

/** Rooms and shops of the form's project, or of the one chosen above. */
function Picker({ value, many, max, given, onDone }: PickerProps) {
  const project = useProject()
  return <RoomPicker scene="roomShop" many={many} max={max} value={value} projectCode={(given.projectCode as string | undefined) ?? project} onDone={got => onDone(got?.map(r => ({ value: r.code, label: r.path, note: r.room.estateName })))} />
}
export default refOf(listRooms, {
  value: r => r.code, label: r => r.path ?? '', note: r => r.estateName, off: r => (r.state === 'off' ? '已停用' : undefined),
  input: given => ({ sceneType: 'roomShop' as const, ...(given.projectCode ? { projectCode: String(given.projectCode) } : {}) }), hangsOn: ['projectCode'], known: codes => ({ codes: [...codes] }), picker: Picker,
})
