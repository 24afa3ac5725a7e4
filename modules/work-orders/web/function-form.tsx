import { Button, Switch } from 'antd'
import { useState } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { int, ref } from '#kit/contract/field.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { permissionOf } from '#kit/web/form/use-edit.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, invalidateCalls } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { runAction } from '#kit/web/run-action.ts'
import { usePermission } from '#kit/web/session.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { getFunctionSettings, setFunctionSettings } from '../contract/settings.ts'
import './settings.css'

type Row = NonNullable<typeof getFunctionSettings.output.T>[number]
type Change = Partial<Pick<Row, 'enabled' | 'value'>>

/** Its number is that of a fee item, which is chosen by name. */
const feeItemKey = 'feeItem'
const feeItemField = ref('收费项目', 'feeItem')

interface ValueProps {
  readonly row: Row
  readonly value: number | undefined
  readonly disabled: boolean
  readonly onChange: (value: number | undefined) => void
}

function ValueInput({ row, value, disabled, onChange }: ValueProps) {
  const setNumber = (v: unknown): void => onChange(typeof v === 'number' ? v : undefined)
  if (row.key === feeItemKey)
    return (
      <RefSelect
        field={feeItemField}
        named
        value={value === 0 ? undefined : value}
        disabled={disabled}
        onChange={v => onChange(parseId(v))}
      />
    )
  return (
    <NumberInput
      field={int(row.label, { min: row.min, max: row.max, unit: row.unit })}
      id={`function-${row.key}`}
      label={row.label}
      value={value}
      disabled={disabled}
      onChange={setNumber}
    />
  )
}

/** 功能设置: switches and numbers of the company. */
export function FunctionForm() {
  const settings = useCall(getFunctionSettings, undefined, { quiet: true, staleMs: 0 })
  const [changes, setChanges] = useState<Readonly<Record<string, Change>>>({})
  const [busy, setBusy] = useState(false)
  const canEdit = usePermission()(permissionOf(setFunctionSettings))
  const isChanged = Object.keys(changes).length > 0
  useUnsaved(isChanged)
  const change = (key: string, patch: Change): void =>
    setChanges(before => ({ ...before, [key]: { ...before[key], ...patch } }))
  const save = async (rows: readonly Row[]): Promise<void> => {
    setBusy(true)
    const sent = rows.flatMap(row => {
      const changed = changes[row.key]
      if (!changed) return []
      const value = 'value' in changed ? changed.value : row.value
      return [
        {
          key: row.key,
          enabled: changed.enabled ?? row.enabled,
          ...(value === undefined ? {} : { value }),
        },
      ]
    })
    const isSaved = await runAction(() => sendAndInvalidate(setFunctionSettings, { settings: sent }))
    if (isSaved) {
      await invalidateCalls(getFunctionSettings)
      setChanges({})
      toast.success('已保存功能设置')
    }
    setBusy(false)
  }
  return (
    <Loaded query={settings} height={400} rows={10} keepsAnswer>
      {rows => (
        <div className="function-form">
          <dl>
            {rows.map(row => {
              const now = { ...row, ...changes[row.key] }
              return (
                <div key={row.key}>
                  <dt>{row.label}</dt>
                  <dd>
                    {row.hasSwitch && (
                      <Switch
                        checked={now.enabled}
                        disabled={!canEdit}
                        checkedChildren="开"
                        unCheckedChildren="关"
                        aria-label={row.label}
                        onChange={enabled => change(row.key, { enabled })}
                      />
                    )}
                    {row.hasValue && (
                      <div className="function-value">
                        <ValueInput
                          row={row}
                          value={now.value}
                          disabled={!canEdit || (row.hasSwitch && !now.enabled)}
                          onChange={value => change(row.key, { value })}
                        />
                      </div>
                    )}
                    <small>{row.help}</small>
                  </dd>
                </div>
              )
            })}
          </dl>
          {canEdit && (
            <Button
              type="primary"
              loading={busy}
              aria-busy={busy}
              disabled={!isChanged}
              onClick={() => void save(rows)}
            >
              保存功能设置
            </Button>
          )}
        </div>
      )}
    </Loaded>
  )
}
