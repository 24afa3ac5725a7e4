import { Cascader } from 'antd'
import { useEffect, useState } from 'react'
import { addressTree, type AddressNode } from '#kit/data/divisions.ts'
import type { ControlProps } from '#kit/web/controls/kinds.tsx'

interface Option {
  readonly value: string
  readonly label: string
  readonly children?: Option[]
}

const none = '请选择'

const optionsOf = (nodes: readonly AddressNode[]): Option[] =>
  nodes
    .filter(n => n.name !== none)
    .map(n => ({ value: n.name, label: n.name, ...(n.sub.length ? { children: optionsOf(n.sub) } : {}) }))

/** Province, city and county in one box (0§9); the value is `省/市/区`, taken apart by `partsOfAddress`. */
export function Address(p: ControlProps) {
  const [options, setOptions] = useState<Option[]>([])
  const { provinceName, cityName, districtName } = p.given as Record<string, string | undefined>
  useEffect(() => {
    let live = true
    void addressTree().then(t => {
      if (live) {
        setOptions(optionsOf(t))
      }
    })
    return () => {
      live = false
    }
  }, [])
  const value = [provinceName, cityName, districtName].filter((x): x is string => !!x)
  return (
    <Cascader
      id={p.id}
      options={options}
      value={value}
      changeOnSelect
      placeholder={`${none}省、市、区县`}
      style={{ width: '100%' }}
      disabled={p.disabled}
      {...(p.invalid ? { status: 'error' as const } : {})}
      showSearch={{ filter: (text, path) => path.some(o => String(o.label).includes(text.trim())) }}
      onChange={v => p.onChange((v as string[] | undefined)?.join('/'))}
      onBlur={p.onBlur}
    />
  )
}

export const partsOfAddress = (v: unknown): Readonly<Record<string, unknown>> => {
  const [provinceName, cityName, districtName] = typeof v === 'string' ? v.split('/') : []
  return { provinceName, cityName, districtName }
}
