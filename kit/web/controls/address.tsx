import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { clearable } from '../clearable.tsx'
import { addressTree, type AddressNode } from '#kit/data/divisions.ts'
import type { Ask } from '../form/form-fields.tsx'
import type { Control } from './kinds.tsx'

interface Choice {
  readonly value: string
  readonly label: string
  readonly children?: Choice[]
}

// 请选择 takes back what stands from its level on; it needs a value of its own, and an empty one is none to the
// list.
const asChoice = (n: AddressNode): Choice => ({
  value: n.name,
  label: n.name,
  ...(n.type === 1 ? { children: n.sub.map(asChoice) } : {}),
})

const unset = '请选择'

/**
 * Province, city and county of an address in one box (0§9), spread over as many text fields: the first holds
 * the province. `addressOf(['provinceName', 'cityName', 'districtName'])` stands among a form's asks in their
 * place.
 */
export function addressOf(keys: readonly [string, ...string[]], label = '所在地区'): Ask {
  const Address: Control = ({ id, value, given, onChange, onBlur, disabled, invalid, describedBy }) => {
    const tree = useQuery({
      queryKey: ['divisions'],
      queryFn: async () => (await addressTree()).map(asChoice),
      staleTime: Infinity,
    })
    const way = [value, ...keys.slice(1).map(k => given[k])].filter(
      (v): v is string => typeof v === 'string' && v !== '',
    )
    return (
      <Cascader
        id={id}
        style={{ width: '100%' }}
        options={tree.data ?? []}
        loading={tree.isPending}
        disabled={disabled}
        changeOnSelect
        allowClear={clearable}
        placeholder="请选择省、市、区县"
        value={way}
        {...(invalid ? { status: 'error' as const } : {})}
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        showSearch={{
          filter: (word, path) =>
            path.some(o => String(o.label).includes(word)) && path.every(o => o.value !== unset),
          limit: 30,
        }}
        onChange={v => {
          const names = ((v ?? []) as string[]).filter(n => n !== unset)
          onChange(names)
        }}
        onBlur={onBlur}
      />
    )
  }
  const first = keys[0]
  return {
    key: first,
    label,
    control: Address,
    wide: true,
    spread: v =>
      Object.fromEntries(keys.map((k, i) => [k, Array.isArray(v) ? (v as string[])[i] : undefined])),
    also: keys.slice(1),
  }
}
