import { parseId } from '#kit/domain/id.ts'
import { useState } from 'react'
import { useCall } from '#kit/web/query.ts'
import type { Option, PickerProps, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { searchResidentOptions } from '../../contract/maintenance.ts'
import { ResidentPicker, RoomPersonPicker } from '../person-pickers.tsx'

const searchModeLabels = [
  ['按姓名', false],
  ['按房间', true],
] as const

/** One resident by name or by room; several by their names. */
function Picker({ value, multiple, max, formValues, onDone }: PickerProps) {
  const currentProject = useProject()
  const project = typeof formValues.projectCode === 'string' ? formValues.projectCode : currentProject
  const [byRoom, setByRoom] = useState(false)
  const savedResidents = useCall(
    searchResidentOptions,
    { userIds: [...value] },
    { enabled: value.length > 0, quiet: true },
  )
  const people = value.map(v => ({
    id: parseId(v),
    name: savedResidents.data?.find(r => String(r.id) === v)?.name ?? v,
  }))
  const searchModes = multiple ? undefined : (
    <div className="pick-chips" role="group" aria-label="查找方式">
      {searchModeLabels.map(([label, isRoomMode]) => (
        <button
          key={label}
          type="button"
          aria-pressed={isRoomMode === byRoom}
          onClick={() => setByRoom(isRoomMode)}
        >
          {label}
        </button>
      ))}
    </div>
  )
  // It begins with the names of those who are chosen: one that came later would take away what has been typed
  // since.
  if (value.length > 0 && savedResidents.isPending) return null
  return byRoom ? (
    <RoomPersonPicker
      projectCode={project}
      above={searchModes}
      onDone={picked =>
        onDone(
          picked && [
            { value: String(picked.userInfo.id), label: picked.userInfo.name, note: picked.areaLabel },
          ],
        )
      }
    />
  ) : (
    <ResidentPicker
      many={multiple}
      max={max}
      projectCode={project}
      value={people}
      above={searchModes}
      onDone={picked => onDone(picked?.map(p => ({ value: String(p.id), label: p.name, note: p.mobile })))}
    />
  )
}

type ResidentOption = NonNullable<typeof searchResidentOptions.output.T>[number]

const toOption = (resident: ResidentOption): Option => ({
  value: String(resident.id),
  label: resident.name,
  note: [resident.mobile, resident.homes?.map(h => h.roomPath).join('、')].filter(Boolean).join(' · '),
  disabledReason: resident.state === 'cancelled' ? '已注销' : undefined,
})

const loadOptions = async (
  input: NonNullable<typeof searchResidentOptions.input.T>,
): Promise<readonly Option[]> => (await send(searchResidentOptions, input, { quiet: true })).map(toOption)

/** People by name, pinyin, phone or room; those of the form's project where it names one. */
const residentRefSource: RefSource = {
  search: (keyword, { projectCode }) =>
    loadOptions({
      ...(keyword ? { keyword } : {}),
      ...(projectCode ? { projectCode: String(projectCode) } : {}),
    }),
  resolveNames: ids => loadOptions({ userIds: [...ids] }),
  dependsOn: ['projectCode'],
  picker: Picker,
}

export default residentRefSource
