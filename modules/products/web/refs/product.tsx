import type { Node } from '#kit/web/pickers/choosing.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { useCall } from '#kit/web/query.ts'
import { refOf, type PickerProps } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { listCategories, listProducts, listTypes } from '../../contract/product.ts'

/** Category, type, product (0§3): the three steps as a tree. */
type Any = { readonly id?: number; readonly typeCode?: string; readonly name: string }
const quiet = { quiet: true, project: 0 } as const

const leaf = (p: {
  readonly id: number
  readonly productName: string
  readonly productType: string
  readonly typeName: string
  readonly catId: number
}): Node<Any> => ({
  key: `p${p.id}`,
  label: p.productName,
  path: [`c${p.catId}`, `t${p.productType}`],
  leaf: true,
  group: p.typeName,
  full: p.productName,
  data: { id: p.id, name: p.productName },
})

const source: TreeSource<Any> = {
  under: async node => {
    if (!node)
      return (await send(listCategories, undefined, quiet)).map(c => ({
        key: `c${c.id}`,
        label: c.catName,
        path: [],
        leaf: false,
        data: { id: c.id, name: c.catName },
      }))
    if (node.data.typeCode)
      return (await send(listProducts, { productType: node.data.typeCode }, quiet)).map(leaf)
    return (await send(listTypes, node.data.id ? { catId: node.data.id } : {}, quiet)).map(t => ({
      key: `t${t.typeCode}`,
      label: t.typeName,
      path: [node.key],
      leaf: false,
      note: t.infs?.join(' '),
      data: { typeCode: t.typeCode, name: t.typeName },
    }))
  },
  leaves: async node => {
    if (node.data.typeCode)
      return (await send(listProducts, { productType: node.data.typeCode }, quiet)).map(leaf)
    return (await send(listProducts, {}, quiet)).filter(p => p.catId === node.data.id).map(leaf)
  },
  find: async word => (await send(listProducts, { keyword: word }, quiet)).map(leaf),
}

/** 选择产品. */
function Picker({ value, many, max, onDone }: PickerProps) {
  const known = useCall(listProducts, { ids: [...value] }, { ...quiet, enabled: value.length > 0 })
  if (value.length > 0 && known.isPending) return null
  return (
    <TreePicker
      title="选择产品"
      source={source}
      many={many}
      max={max}
      unit="个产品"
      value={value.length ? (known.data ?? []).map(leaf) : []}
      placeholder="请输入产品名称或编码"
      empty="还没有产品"
      onDone={got => onDone(got?.map(n => ({ value: String(n.data.id), label: n.label })))}
    />
  )
}

export default refOf(listProducts, {
  value: p => p.id,
  label: p => p.productName,
  note: p => p.typeName,
  known: ids => ({ ids: [...ids] }),
  picker: Picker,
})
