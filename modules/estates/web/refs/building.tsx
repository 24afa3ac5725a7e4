import { defined } from '#kit/domain/defined.ts'
import { createRefPicker, optionNode } from '#kit/web/pickers/ref-picker.tsx'
import { createRefSource } from '#kit/web/refs.ts'
import { listBuildings, pickBuildings } from '../../contract/building.ts'

/** Buildings of the form's estate, or of the one chosen above. */
export default createRefSource(listBuildings, {
  value: b => b.code,
  label: b => b.name,
  note: b => b.estateName,
  ofFormProject: true,
  picker: createRefPicker({
    title: '选择楼栋',
    unit: '栋',
    emptyText: '该项目暂无楼栋',
    call: pickBuildings,
    input: projectCode => (projectCode ? { projectCode } : {}),
    searched: false,
    nodes: all => all.map(b => optionNode({ value: defined(b.code), label: b.name, note: b.code })),
  }),
})
