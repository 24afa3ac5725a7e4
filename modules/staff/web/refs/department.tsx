import { createRefPicker } from '#kit/web/pickers/ref-picker.tsx'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import type { Option, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { getDepartmentTree } from '../../contract/department.ts'
import { departmentNodes } from '../department-nodes.ts'

/** All of them in the order of the tree, each beside those above it: a company has a few hundred at most. */
const loadOptions = async (): Promise<readonly Option[]> =>
  (await send(getDepartmentTree, {}, { quiet: true }))
    .flatMap(d => departmentNodes(d))
    .flatMap(n => (n.leaf ? [n.data] : []))

const source: RefSource = {
  search: async word => {
    const match = await loadPinyinMatcher()
    return (await loadOptions()).filter(o => !word || match(o.label, word) !== undefined)
  },
  resolveNames: async values => (await loadOptions()).filter(o => values.includes(o.value)),
  picker: createRefPicker({
    title: '选择部门',
    unit: '个部门',
    placeholder: '部门名称或拼音首字母',
    emptyText: '暂无部门，请先在通讯录新增部门',
    call: getDepartmentTree,
    input: () => ({}),
    nodes: tree => tree.flatMap(d => departmentNodes(d)),
  }),
}

export default source
