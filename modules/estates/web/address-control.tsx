import { Cascader } from 'antd'
import { useEffect, useState } from 'react'
import { loadAddressTree, type AddressNode } from '#kit/data/divisions.ts'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'

interface Option {
  readonly value: string
  readonly label: string
  readonly children?: Option[]
}

const emptyName = '请选择'

const optionsOf = (nodes: readonly AddressNode[]): Option[] =>
  nodes
    .filter(n => n.name !== emptyName)
    .map(n => ({ value: n.name, label: n.name, ...(n.sub.length ? { children: optionsOf(n.sub) } : {}) }))

/** Province, city and county in one box (0§9); the value is `省/市/区`, taken apart by `splitAddress`. */
export function AddressControl(p: ControlProps) {
  const [options, setOptions] = useState<Option[]>([])
  const { provinceName, cityName, districtName } = p.formValues
  useEffect(() => {
    let live = true
    void loadAddressTree().then(t => {
      if (live) {
        setOptions(optionsOf(t))
      }
    })
    return () => {
      live = false
    }
  }, [])
  const value = [provinceName, cityName, districtName].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  )
  return (
    <Cascader
      id={p.id}
      options={options}
      value={value}
      changeOnSelect
      placeholder={`${emptyName}省、市、区县`}
      style={{ width: '100%' }}
      disabled={p.disabled}
      {...(p.invalid ? { status: 'error' as const } : {})}
      showSearch={{ filter: (text, path) => path.some(o => String(o.label).includes(text.trim())) }}
      onChange={v => p.onChange((v as string[] | undefined)?.join('/'))}
      onBlur={p.onBlur}
    />
  )
}

export const splitAddress = (v: unknown): Readonly<Record<string, unknown>> => {
  const [provinceName, cityName, districtName] = typeof v === 'string' ? v.split('/') : []
  return { provinceName, cityName, districtName }
}
