import type { Id } from '#kit/domain/id.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { useCall } from '#kit/web/query.ts'
import { createRefSource, type PickerProps } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { listProductCategories, listProducts, listProductTypes } from '../../contract/product.ts'

/** Category, type, product (0§3): the three steps as a tree. */
type ProductNode = { readonly id?: Id; readonly typeCode?: string; readonly name: string }
const quietOptions = { quiet: true, project: 0 } as const

const toProductLeaf = (product: {
  readonly id: Id
  readonly productName: string
  readonly productType: string
  readonly typeName: string
  readonly catId: Id
}): TreeNode<ProductNode> => ({
  key: `p${product.id}`,
  label: product.productName,
  path: [`c${product.catId}`, `t${product.productType}`],
  leaf: true,
  group: product.typeName,
  fullName: product.productName,
  data: { id: product.id, name: product.productName },
})

const productSource: TreeSource<ProductNode> = {
  children: async node => {
    if (!node)
      return (await send(listProductCategories, undefined, quietOptions)).map(category => ({
        key: `c${category.id}`,
        label: category.catName,
        path: [],
        leaf: false,
        data: { id: category.id, name: category.catName },
      }))
    if (node.data.typeCode)
      return (await send(listProducts, { productType: node.data.typeCode }, quietOptions)).map(toProductLeaf)
    return (await send(listProductTypes, node.data.id ? { catId: node.data.id } : {}, quietOptions)).map(
      row => ({
        key: `t${row.typeCode}`,
        label: row.typeName,
        path: [node.key],
        leaf: false,
        note: row.infs?.join(' '),
        data: { typeCode: row.typeCode, name: row.typeName },
      }),
    )
  },
  leaves: async node => {
    if (node.data.typeCode)
      return (await send(listProducts, { productType: node.data.typeCode }, quietOptions)).map(toProductLeaf)
    return (await send(listProducts, {}, quietOptions))
      .filter(p => p.catId === node.data.id)
      .map(toProductLeaf)
  },
  search: async word => (await send(listProducts, { keyword: word }, quietOptions)).map(toProductLeaf),
}

/** 选择产品. */
function Picker({ value, multiple, max, onDone }: PickerProps) {
  const known = useCall(listProducts, { ids: [...value] }, { ...quietOptions, enabled: value.length > 0 })
  if (value.length > 0 && known.isPending) return null
  return (
    <TreePicker
      title="选择产品"
      source={productSource}
      multiple={multiple}
      max={max}
      unit="个产品"
      value={value.length ? (known.data ?? []).map(toProductLeaf) : []}
      placeholder="请输入产品名称或编码"
      emptyText="暂无产品"
      onDone={got => onDone(got?.map(n => ({ value: String(n.data.id), label: n.label })))}
    />
  )
}

export default createRefSource(listProducts, {
  value: p => p.id,
  label: p => p.productName,
  note: p => p.typeName,
  inputForValues: ids => ({ ids: [...ids] }),
  picker: Picker,
})
