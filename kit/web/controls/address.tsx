import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { allowClear } from '../allow-clear.tsx'
import { loadAddressTree, type AddressNode } from '#kit/data/divisions.ts'
import type { FormField } from '../form/form-fields.tsx'
import type { Control } from './control-kinds.tsx'

interface RegionOption {
  readonly value: string
  readonly label: string
  readonly children?: RegionOption[]
}

// 请选择 clears from its level on; it needs a value of its own, because the list treats an empty one as none.
const toRegionOption = (n: AddressNode): RegionOption => ({
  value: n.name,
  label: n.name,
  ...(n.type === 1 ? { children: n.sub.map(toRegionOption) } : {}),
})

const clearOption = '请选择'

/**
 * Province, city and county of an address in one control (0§9), spread over as many text fields: the first
 * holds the province. `addressField(['provinceName', 'cityName', 'districtName'])` takes their place among a
 * form's fields.
 */
export function addressField(keys: readonly [string, ...string[]], label = '所在地区'): FormField {
  const Address: Control = ({ id, value, formValues, onChange, onBlur, disabled, invalid, describedBy }) => {
    const tree = useQuery({
      queryKey: ['divisions'],
      queryFn: async () => (await loadAddressTree()).map(toRegionOption),
      staleTime: Infinity,
    })
    const selected = [value, ...keys.slice(1).map(k => formValues[k])].filter(
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
        allowClear={allowClear}
        placeholder="请选择省、市、区县"
        value={selected}
        {...(invalid ? { status: 'error' as const } : {})}
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        showSearch={{
          filter: (text, path) =>
            path.some(o => String(o.label).includes(text)) && path.every(o => o.value !== clearOption),
          limit: 30,
        }}
        onChange={v => {
          const names = (v ?? []).filter(n => n !== clearOption)
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
    spreadValue: v =>
      Object.fromEntries(keys.map((k, i) => [k, Array.isArray(v) ? (v as string[])[i] : undefined])),
    otherKeys: keys.slice(1),
  }
}
