import { readRows, readText } from '#kit/web/controls/read-value.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import TextArea, { type TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { decimal } from '#kit/contract/field.ts'
import { formatFraction } from '../domain/fraction.ts'
import { CalculationError, type Fault } from '../domain/formula/errors.ts'
import { evaluate, findFormulaFault, compileFormula } from '../domain/formula/formula.ts'
import { variables, type Origin } from '../domain/formula/variables.ts'
import './fees.css'

const originLabels: readonly (readonly [Origin, string])[] = [
  ['source', '对象'],
  ['standard', '标准'],
  ['meter', '仪表'],
  ['period', '账期'],
]

const functionTemplates: readonly (readonly [word: string, message: string])[] = [
  ['IF(条件, 是, 否)', '条件取值'],
  ['MIN(, )', '取小'],
  ['MAX(, )', '取大'],
  ['ROUND(, 2)', '四舍五入'],
  ['CEIL()', '向上取整'],
  ['FLOOR()', '向下取整'],
  ['STEP(用量; 15,2.8; 25,4.2; *,8.4)', '阶梯'],
]

const operatorSigns = ['+', '-', '×', '÷', '(', ')', '>', '>=', '<', '<=', '=']

/** The parameter names of a formula, as the form has them. */
export const listParameterNames = (formValues: Readonly<Record<string, unknown>>): string[] =>
  readRows<{ name?: string }>(formValues.parameters).flatMap(p => (p.name?.trim() ? [p.name.trim()] : []))

const contextLength = 120

/**
 * The text with what is wrong in it marked; of a long one what is around the place, so that the message
 * stays in sight.
 */
function MarkedText({ text, fault }: { readonly text: string; readonly fault: Fault }) {
  const end = fault.at + Math.max(fault.length, 0)
  const from = Math.max(0, fault.at - contextLength)
  const until = Math.min(end, fault.at + contextLength)
  const to = Math.min(text.length, until + (until < end ? 0 : contextLength))
  return (
    <code>
      {from > 0 && '…'}
      {text.slice(from, fault.at)}
      <mark>{text.slice(fault.at, until) || '␣'}</mark>
      {text.slice(until, to)}
      {to < text.length && '…'}
    </code>
  )
}

/**
 * A formula written with the variables beside it; read at every stroke, the fault marked where it is, put
 * right where there is one way to (FEE-22).
 */
export function FormulaBuilder(props: ControlProps) {
  const box = useRef<TextAreaRef>(null)
  const text = readText(props.value) ?? ''
  const names = listParameterNames(props.formValues)
  const fault = text.trim() ? findFormulaFault(text, names) : undefined
  const insertWord = (word: string): void => {
    const area = box.current?.resizableTextArea?.textArea
    const from = area?.selectionStart ?? text.length
    const to = area?.selectionEnd ?? from
    const gap = from > 0 && /[\p{L}\d)\]]$/u.test(text.slice(0, from)) && /^[\p{L}\d(]/u.test(word) ? ' ' : ''
    props.onChange(text.slice(0, from) + gap + word + text.slice(to))
    const at =
      from +
      gap.length +
      (word.includes('()')
        ? word.indexOf('(') + 1
        : word.includes('(,')
          ? word.indexOf('(') + 1
          : word.length)
    setTimeout(() => {
      area?.focus()
      area?.setSelectionRange(at, at)
    })
  }
  // A fault shown on leaving the field may have been corrected elsewhere, by a new parameter.
  const { invalid, onBlur } = props
  const isValid = fault === undefined
  const wasValid = useRef(isValid)
  useEffect(() => {
    if (isValid && !wasValid.current && invalid) {
      onBlur()
    }
    wasValid.current = isValid
  }, [isValid, invalid, onBlur])
  const renderWord = (word: string, note?: string) => (
    <button key={word} type="button" disabled={props.disabled} title={note} onClick={() => insertWord(word)}>
      {word.split('(')[0] || word}
      {note && <small>{note}</small>}
    </button>
  )
  return (
    <div className="formula-builder">
      <TextArea
        ref={box}
        id={props.id}
        value={text}
        disabled={props.disabled}
        autoSize={{ minRows: 2, maxRows: 8 }}
        spellCheck={false}
        count={{ show: true, max: 500 }}
        placeholder="如 建筑面积 × 单价 × 系数"
        {...(props.invalid || fault ? { status: 'error', 'aria-invalid': true } : {})}
        {...(props.describedBy ? { 'aria-describedby': props.describedBy } : {})}
        onChange={e => props.onChange(e.target.value)}
        onBlur={props.onBlur}
      />
      {text.trim() &&
        (fault ? (
          <div className="formula-read bad" role="alert">
            <MarkedText text={text} fault={fault} />
            {fault.message}{' '}
            {fault.fix !== undefined && (
              <Button size="small" onClick={() => props.onChange(fault.fix)}>
                改为 {fault.fix.length > 40 ? '建议写法' : fault.fix}
              </Button>
            )}
          </div>
        ) : (
          <div className="formula-read good" role="status">
            公式正确，用到：{compileFormula(text, names).variables.join('、') || '无变量'}
          </div>
        ))}
      {!props.disabled && (
        <div className="formula-words" role="group" aria-label="变量与函数">
          {originLabels.map(([origin, label]) => (
            <FormulaWordGroup key={origin} label={label}>
              {variables.filter(v => v.origin === origin).map(v => renderWord(v.name, v.short))}
              {origin === 'source' && renderWord('A[收费系数]', '房屋属性')}
            </FormulaWordGroup>
          ))}
          {names.length > 0 && (
            <FormulaWordGroup label="自定义">{names.map(n => renderWord(n))}</FormulaWordGroup>
          )}
          <FormulaWordGroup label="函数">
            {functionTemplates.map(([w, message]) => renderWord(w, message))}
          </FormulaWordGroup>
          <FormulaWordGroup label="符号">
            {operatorSigns.map(s => (
              <button key={s} type="button" disabled={props.disabled} onClick={() => insertWord(s)}>
                {s}
              </button>
            ))}
          </FormulaWordGroup>
        </div>
      )}
    </div>
  )
}

const FormulaWordGroup = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: React.ReactNode
}) => (
  <>
    <span>{label}</span>
    <div>{children}</div>
  </>
)

/** A sample value: decimal text, or what was typed instead of it. */
type NamedValue = { readonly name: string; readonly value: unknown }
const valueField = decimal('值', { scale: 6 })

/**
 * Sample values, one box for each variable, and the result as one types; a formula is saved only when this
 * comes out (FEE-22).
 */
export function FormulaTrial(props: ControlProps) {
  const text = readText(props.formValues.expression) ?? ''
  const names = listParameterNames(props.formValues)
  const values = readRows<NamedValue>(props.value)
  if (!text.trim() || findFormulaFault(text, names))
    return (
      <div className="formula-read" id={props.id}>
        填写公式后，在此用样例值试算
      </div>
    )
  const compiled = compileFormula(text, names)
  const valueOf = (n: string): unknown => values.find(v => v.name === n)?.value
  const changeValue = (name: string, value: unknown): void =>
    props.onChange([
      ...compiled.variables
        .filter(n => n !== name && valueOf(n) !== undefined)
        .map(n => ({ name: n, value: defined(valueOf(n)) })),
      ...(value === undefined ? [] : [{ name, value }]),
    ])
  const entered = new Map(compiled.variables.map(n => [n, readText(valueOf(n)) ?? '']))
  const missing = compiled.variables.filter(n => entered.get(n) === '')
  let result: { readonly isValid: boolean; readonly text: string }
  try {
    result = missing.length
      ? { isValid: false, text: `还缺 ${missing.join('、')}` }
      : {
          isValid: true,
          text: `${formatFraction(evaluate(compiled, Object.fromEntries(entered)))} 元`,
        }
  } catch (e) {
    result = {
      isValid: false,
      text: e instanceof CalculationError || e instanceof RangeError ? e.message : '有的值不是数字',
    }
  }
  return (
    <div className="trial" id={props.id} role="group" aria-label="试算">
      <dl>
        {compiled.variables.map(variable => {
          const value = variables.find(x => x.name === variable)
          return (
            <ValueInput key={variable} id={`${props.id}-${variable}`} label={variable} unit={value?.unit}>
              <NumberInput
                id={`${props.id}-${variable}`}
                field={{ ...valueField, label: variable }}
                label={variable}
                value={valueOf(variable)}
                onChange={x => changeValue(variable, x)}
                onBlur={props.onBlur}
                disabled={props.disabled}
              />
            </ValueInput>
          )
        })}
      </dl>
      <div role="status" aria-live="polite" className={result.isValid ? 'result' : 'bad'}>
        {result.isValid ? `= ${result.text}` : result.text}
      </div>
    </div>
  )
}

export const ValueInput = ({
  id,
  label,
  unit,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly unit?: string | undefined
  readonly children: React.ReactNode
}) => (
  <>
    <dt>
      <label htmlFor={id}>
        {label}
        {unit && <small>{unit}</small>}
      </label>
    </dt>
    <dd>{children}</dd>
  </>
)
