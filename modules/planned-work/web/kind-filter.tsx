import { Select } from 'antd'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { useCall } from '#kit/web/query.ts'
import { workKind, type WorkKind } from '../contract/choices.ts'
import { listWorkKinds } from '../contract/overview.ts'

const isKind = (text: string): text is WorkKind => keysOf(workKind).some(kind => kind === text)

/** The kinds that the page is asked for, in its address; none: all that the person may see. */
export function useAddressKinds() {
  const [text = '', setText] = useAddressValue('kinds', { without: 'page' })
  const kinds = text.split(',').filter(isKind)
  return [kinds, (chosen: readonly WorkKind[]) => setText(chosen.join(','))] as const
}

/** The kinds of work that the person may see, and the screen of one task of each. */
export function useWorkKinds() {
  const { data = [] } = useCall(listWorkKinds, {}, { quiet: true, staleMs: 600_000 })
  const pathOf = new Map(data.map(row => [row.kind, row.taskPath]))
  return {
    kinds: data.map(row => row.kind),
    taskPath: (kind: WorkKind, id: number): string | undefined => {
      const path = pathOf.get(kind)
      return path === undefined ? undefined : `${path}?id=${id}`
    },
  }
}

interface KindFilterProps {
  readonly value: readonly WorkKind[]
  readonly onChange: (kinds: readonly WorkKind[]) => void
}

/** Which kinds are shown, of those that the person may see. */
export function KindFilter({ value, onChange }: KindFilterProps) {
  const { kinds } = useWorkKinds()
  return (
    <Select
      mode="multiple"
      aria-label="类别"
      placeholder="全部类别"
      allowClear
      maxTagCount="responsive"
      className="work-kinds"
      value={[...value]}
      onChange={onChange}
      options={kinds.map(kind => ({ value: kind, label: labelOf(workKind, kind) }))}
    />
  )
}
