import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState } from 'react'
import type { TreeNode } from '../pickers/tree-selection.ts'
import { TreePicker } from '../pickers/tree-picker.tsx'
import type { TreeSource } from '../pickers/use-tree.ts'

const padTwo = (n: number): string => String(n).padStart(2, '0')
const pause = <T,>(v: T): Promise<T> => new Promise(r => setTimeout(() => r(v), 120))

const rooms = (building: number, unit: number): TreeNode[] =>
  Array.from({ length: 12 * 4 }, (_, i) => {
    const floor = Math.floor(i / 4) + 1
    const roomNo = `${padTwo(floor)}${padTwo((i % 4) + 1)}`
    const empty = (floor + i + unit) % 11 === 5
    return {
      key: `${building}-${unit}-${roomNo}`,
      label: roomNo,
      fullName: `${building}-${unit}-${roomNo}`,
      leaf: true,
      path: ['P1', `B${building}`, `B${building}-${unit}`],
      lineLabel: `${floor}F`,
      group: `${building} 栋`,
      data: undefined,
      ...(empty ? { tag: '空', disabledReason: '空置，无人居住' } : {}),
    }
  })

const branch = (key: string, label: string, path: readonly string[], count: number): TreeNode => ({
  key,
  label,
  path,
  leaf: false,
  note: `${count} 户`,
  data: undefined,
})

const all = (key: string): TreeNode[] =>
  key === 'P1'
    ? [1, 2, 3, 4, 5, 6].flatMap(building => all(`B${building}`))
    : key.length === 2
      ? [1, 2, 3].flatMap(unit => rooms(Number(key[1]), unit))
      : rooms(Number(key[1]), Number(key[3]))

const childrenOf = (key: string | undefined) => {
  if (key === undefined) return [branch('P1', '锦绣花园', [], 864)]
  if (key === 'P1') {
    return [1, 2, 3, 4, 5, 6].map(building => branch(`B${building}`, `${building} 栋`, ['P1'], 144))
  }
  if (key.length > 2) return all(key)
  return [1, 2, 3].map(unit => branch(`${key}-${unit}`, `${unit} 单元`, ['P1', key], 48))
}

const source: TreeSource<unknown> = {
  children: n => pause(childrenOf(n?.key)),
  leaves: n => pause(all(n.key)),
  search: text => pause(all('B3').filter(r => defined(r.fullName).includes(text))),
}

export function PickerGallery() {
  const [open, setOpen] = useState<'many' | 'one'>()
  const [value, setValue] = useState<readonly TreeNode[]>([])
  return (
    <div style={{ padding: 24 }}>
      <Button onClick={() => setOpen('many')}>选多个房间</Button>{' '}
      <Button onClick={() => setOpen('one')}>选一个房间</Button>
      <p>{value.map(l => l.fullName).join('、')}</p>
      {open && (
        <TreePicker
          title="选择房间"
          source={source}
          multiple={open === 'many'}
          max={100}
          unit="户"
          placeholder="请输入房间号"
          emptyText="没有房间"
          value={value}
          onDone={values => {
            setOpen(undefined)
            if (values) {
              setValue(values)
            }
          }}
        />
      )}
    </div>
  )
}
