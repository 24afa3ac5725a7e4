import { refOf, type PickerProps } from '#kit/web/refs.ts'
import { listBuildings } from '../../contract/building.ts'
import { FloorPicker } from '../floor-picker.tsx'
import { useProject } from '../project.ts'

function Picker({ value, many, max, given, onDone }: PickerProps) {
  const project = useProject()
  return (
    <FloorPicker
      depth="building"
      many={many}
      {...(max && many ? { max } : {})}
      projectCode={(given.projectCode as string | undefined) ?? project}
      value={value.map(buildCode => ({ buildCode }))}
      onDone={got => onDone(got?.map(b => ({ value: b.buildCode, label: b.buildName ?? b.buildCode })))}
    />
  )
}

/** Buildings of the form's estate, or of the one chosen above. */
export default refOf(listBuildings, {
  value: b => b.code,
  label: b => b.name,
  note: b => b.estateName,
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
  picker: Picker,
})
