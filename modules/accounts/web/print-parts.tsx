import { readRows } from '#kit/web/controls/read-value.ts'
import { Checkbox, Input } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { printPart } from '../contract/print-settings.ts'
import type { DocType, PrintPart, PrintSetting } from '../domain/print-settings.ts'
import { layoutByDocType, orderParts, movePart, printZones, type PrintZone } from '../domain/print-layout.ts'
import { findPrintLabel } from './document-texts.ts'
import { sampleContents } from './print-samples.ts'

const zoneLabels: Readonly<Record<PrintZone, string>> = {
  facts: '表头上方',
  columns: '表格的列',
  lines: '表格下方',
  rest: '其他',
}

const partsWithoutLabel: ReadonlySet<PrintPart> = new Set(['logo', 'signature', 'contact'])

/** The heading that the document itself uses. */
const getDefaultPartLabel = (docType: DocType, part: PrintPart): string => {
  const content = sampleContents[docType]
  return (
    findPrintLabel(docType, part) ??
    [...content.facts, ...(content.columns ?? []), ...(content.lines ?? [])].find(x => x.part === part)
      ?.label ??
    (part === 'printTime' ? '打印' : labelOf(printPart, part))
  )
}

export interface ChosenParts {
  readonly parts: readonly PrintPart[]
  readonly labels: NonNullable<PrintSetting['labels']>
}

/** What the control of parts gives to its form. */
export const isChosenParts = (v: unknown): v is ChosenParts =>
  typeof v === 'object' && v !== null && 'parts' in v && 'labels' in v

interface PartRowProps {
  readonly part: PrintPart
  /** The default label. */
  readonly name: string
  readonly label: string | undefined
  readonly isShown: boolean
  readonly isDisabled: boolean
  /** Its place among the shown parts of its zone, and how many there are; absent where the order is fixed. */
  readonly position: readonly [index: number, count: number] | undefined
  readonly onShow: (isShown: boolean) => void
  readonly onRename: (label: string) => void
  readonly onMove: (by: 1 | -1) => void
}

/** One part of a document: shown or not, its label, and its place. */
function PartRow({
  part,
  name,
  label,
  isShown,
  isDisabled,
  position,
  onShow,
  onRename,
  onMove,
}: PartRowProps) {
  const hasLabel = !partsWithoutLabel.has(part)
  const [index, count] = position ?? [0, 0]
  return (
    <div>
      <Checkbox
        checked={isShown}
        disabled={isDisabled}
        onChange={e => onShow(e.target.checked)}
        aria-label={`打印${name}`}
      >
        {hasLabel ? null : name}
      </Checkbox>
      {hasLabel && (
        <Input
          size="small"
          aria-label={`「${name}」的名称`}
          maxLength={12}
          disabled={isDisabled || !isShown}
          value={label ?? name}
          onChange={e => onRename(e.target.value)}
        />
      )}
      {position && (
        <span>
          <button
            type="button"
            className="plain"
            aria-label={`「${name}」上移`}
            disabled={isDisabled || !isShown || index === 0}
            onClick={() => onMove(-1)}
          >
            <ArrowUpOutlined />
          </button>
          <button
            type="button"
            className="plain"
            aria-label={`「${name}」下移`}
            disabled={isDisabled || !isShown || index === count - 1}
            onClick={() => onMove(1)}
          >
            <ArrowDownOutlined />
          </button>
        </span>
      )}
    </div>
  )
}

/** The parts of a document, zone by zone: which are shown, under which label, in which order. */
export const createPartsControl =
  (docType: DocType): Control =>
  props => {
    const parts = readRows<PrintPart>(props.value)
    const labels = readRows<ChosenParts['labels'][number]>(props.formValues.labels)
    const order = orderParts(docType, parts)
    const change = (next: Partial<ChosenParts>): void =>
      props.onChange({ parts, labels, ...next } satisfies ChosenParts)
    const tick = (x: PrintPart, on: boolean): void =>
      change({ parts: order.filter(o => (o === x ? on : parts.includes(o))) })
    const move = (x: PrintPart, by: 1 | -1, zone: readonly PrintPart[]): void =>
      change({ parts: movePart(order, zone, x, by).filter(o => parts.includes(o)) })
    const name = (part: PrintPart, text: string): void =>
      change({
        labels: [
          ...labels.filter(l => l.part !== part),
          ...(text && text !== getDefaultPartLabel(docType, part) ? [{ part, label: text }] : []),
        ],
      })
    return (
      <div className="print-parts" id={props.id} role="group" aria-label="打印内容">
        {printZones
          .filter(z => layoutByDocType[docType][z].length)
          .map(zone => {
            const zoneParts = order.filter(o => layoutByDocType[docType][zone].includes(o))
            const on = zoneParts.filter(x => parts.includes(x))
            return (
              <fieldset key={zone}>
                <legend>{zoneLabels[zone]}</legend>
                {zoneParts.map(part => (
                  <PartRow
                    key={part}
                    name={getDefaultPartLabel(docType, part)}
                    label={labels.find(l => l.part === part)?.label}
                    part={part}
                    isShown={parts.includes(part)}
                    isDisabled={props.disabled}
                    position={zone === 'rest' ? undefined : [on.indexOf(part), on.length]}
                    onShow={isShown => tick(part, isShown)}
                    onRename={text => name(part, text)}
                    onMove={by => move(part, by, on)}
                  />
                ))}
              </fieldset>
            )
          })}
      </div>
    )
  }
