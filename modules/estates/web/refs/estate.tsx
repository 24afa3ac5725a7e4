import { createRefPicker, optionNode } from '#kit/web/pickers/ref-picker.tsx'
import { createRefSource } from '#kit/web/refs.ts'
import { session } from '#kit/web/session.ts'
import { noProjectLine } from '#kit/web/shell/no-project.ts'
import { listEstates, type Estate } from '../../contract/estate.ts'

const disabledReason = (e: Estate): string | undefined => (e.state === 'off' ? '项目已停用' : undefined)

export default createRefSource(listEstates, {
  value: e => e.projectCode,
  label: e => e.name,
  note: e => e.projectCode,
  disabledReason,
  /** 选择项目: several estates, or one (0§2), listed a thousand at a time (0§9). */
  picker: createRefPicker({
    title: '选择项目',
    unit: '个项目',
    placeholder: '请输入项目名称、编码或拼音首字母',
    // Read when it is shown: it depends on who is signed in.
    get emptyText() {
      return noProjectLine(session.getState().signed?.manager)
    },
    call: listEstates,
    input: () => ({ page: 1, size: 1000 }),
    allProjects: true,
    searched: o => [o.label, o.value],
    nodes: ({ rows }) =>
      rows.map(row =>
        optionNode({
          value: row.projectCode,
          label: row.name,
          note: row.projectCode,
          disabledReason: disabledReason(row),
        }),
      ),
  }),
})
