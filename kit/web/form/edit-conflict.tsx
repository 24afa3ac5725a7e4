import { Button, Radio } from 'antd'
import { useState } from 'react'
import type { Fields } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { defined } from '#kit/domain/defined.ts'
import { textOf } from '../columns.tsx'
import type { Values } from './drafts.ts'
import { isSameValue } from './use-form.ts'

/** Both values of each field that differs; the person chooses, nothing is overwritten unseen. */
export function EditConflict({
  fields,
  keys,
  myValues,
  theirValues: current,
  onSettle,
  onBack,
}: {
  readonly fields: Fields
  readonly keys: readonly string[]
  readonly myValues: Values
  readonly theirValues: Values
  readonly onSettle: (chosen: Values) => void
  readonly onBack: () => void
}) {
  const differing = keys.filter(k => fields[k] && !isSameValue(myValues[k], current[k]))
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({})
  const valueText = (k: string, v: unknown): string =>
    v === undefined ? formatValue(undefined, defined(fields[k])) : textOf(defined(fields[k]), v)
  return (
    <div className="conflict">
      <div className="form-band" role="alert">
        <span>
          {differing.length
            ? `该条数据刚被他人修改，下面 ${differing.length} 项与填写内容不同。请选择后再保存，不会直接覆盖。`
            : '该条数据刚被他人修改，内容与填写的相同。'}
        </span>
      </div>
      {differing.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>字段</th>
              <th>你填的</th>
              <th>现在的</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(fieldKey => (
              <tr key={fieldKey}>
                <td>{defined(fields[fieldKey]).label}</td>
                {(['mine', 'theirs'] as const).map(side => (
                  <td key={side}>
                    <Radio
                      checked={(chosen[fieldKey] ?? 'mine') === side}
                      onChange={() => setChosen({ ...chosen, [fieldKey]: side })}
                    >
                      {valueText(fieldKey, (side === 'mine' ? myValues : current)[fieldKey])}
                    </Radio>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="form-foot" style={{ paddingTop: 16 }}>
        <Button
          type="primary"
          onClick={() =>
            onSettle(
              Object.fromEntries(
                keys.map(k => [
                  k,
                  differing.includes(k) && (chosen[k] ?? 'mine') === 'mine' ? myValues[k] : current[k],
                ]),
              ),
            )
          }
        >
          按所选继续编辑
        </Button>
        <Button onClick={onBack}>返回</Button>
      </div>
    </div>
  )
}
