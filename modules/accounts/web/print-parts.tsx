import { Checkbox, Input } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { printPart } from '../contract/print-settings.ts'
import type { DocType, PrintPart, PrintSetting } from '../domain/print-settings.ts'
import { layoutByDocType, orderParts, movePart, printZones, type PrintZone } from '../domain/print-layout.ts'
import { sampleContents } from './print-samples.ts'

const zoneLabels: Readonly<Record<PrintZone, string>> = {
  facts: '表头上方',
  columns: '表格的列',
  lines: '表格下方',
  rest: '其他',
}

const partsWithoutLabel: ReadonlySet<PrintPart> = new Set(['logo', 'signature'])

/** As the document calls it itself. */
const getDefaultPartLabel = (d: DocType, p: PrintPart): string => {
  const c = sampleContents[d]
  return (
    [...c.facts, ...(c.columns ?? []), ...(c.lines ?? [])].find(x => x.part === p)?.label ??
    (p === 'printTime' ? '打印' : labelOf(printPart, p))
  )
}

export interface ChosenParts {
  readonly parts: readonly PrintPart[]
  readonly labels: NonNullable<PrintSetting['labels']>
}

/** What stands on the sheet, zone by zone: ticked or not, under which name, in which order. */
export const createPartsControl =
  (d: DocType): Control =>
  p => {
    const parts = (p.value as readonly PrintPart[] | undefined) ?? []
    const labels = (p.formValues.labels as ChosenParts['labels'] | undefined) ?? []
    const order = orderParts(d, parts)
    const say = (next: Partial<ChosenParts>): void =>
      p.onChange({ parts, labels, ...next } satisfies ChosenParts)
    const tick = (x: PrintPart, on: boolean): void =>
      say({ parts: order.filter(o => (o === x ? on : parts.includes(o))) })
    const move = (x: PrintPart, by: 1 | -1, zone: readonly PrintPart[]): void =>
      say({ parts: movePart(order, zone, x, by).filter(o => parts.includes(o)) })
    const name = (x: PrintPart, text: string): void =>
      say({
        labels: [
          ...labels.filter(l => l.part !== x),
          ...(text && text !== getDefaultPartLabel(d, x) ? [{ part: x, label: text }] : []),
        ],
      })
    return (
      <div className="print-parts" id={p.id} role="group" aria-label="打印内容">
        {printZones
          .filter(z => layoutByDocType[d][z].length)
          .map(z => {
            const mine = order.filter(o => layoutByDocType[d][z].includes(o))
            const on = mine.filter(x => parts.includes(x))
            return (
              <fieldset key={z}>
                <legend>{zoneLabels[z]}</legend>
                {mine.map(x => {
                  const shown = parts.includes(x)
                  const at = on.indexOf(x)
                  const own = getDefaultPartLabel(d, x)
                  return (
                    <div key={x}>
                      <Checkbox
                        checked={shown}
                        disabled={p.disabled}
                        onChange={e => tick(x, e.target.checked)}
                        aria-label={`打印${own}`}
                      >
                        {partsWithoutLabel.has(x) ? own : null}
                      </Checkbox>
                      {!partsWithoutLabel.has(x) && (
                        <Input
                          size="small"
                          aria-label={`「${own}」的名称`}
                          maxLength={12}
                          disabled={p.disabled || !shown}
                          value={labels.find(l => l.part === x)?.label ?? own}
                          onChange={e => name(x, e.target.value)}
                        />
                      )}
                      {z !== 'rest' && (
                        <span>
                          <button
                            type="button"
                            className="plain"
                            aria-label={`「${own}」上移`}
                            disabled={p.disabled || !shown || at === 0}
                            onClick={() => move(x, -1, on)}
                          >
                            <ArrowUpOutlined />
                          </button>
                          <button
                            type="button"
                            className="plain"
                            aria-label={`「${own}」下移`}
                            disabled={p.disabled || !shown || at === on.length - 1}
                            onClick={() => move(x, 1, on)}
                          >
                            <ArrowDownOutlined />
                          </button>
                        </span>
                      )}
                    </div>
                  )
                })}
              </fieldset>
            )
          })}
      </div>
    )
  }
