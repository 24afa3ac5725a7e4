/**
 * Why a formula cannot be saved, where, and what to do. `at` and `length` count UTF-16 units, as an input's
 * selection does.
 */
export interface Fault {
  readonly at: number
  readonly length: number
  readonly message: string
  /** The corrected text, when there is only one way to correct it. */
  readonly fix?: string
}

/** Thrown while reading a formula (FEE-22). */
export class FormulaError extends Error {
  readonly fault: Fault
  constructor(text: string, at: number, length: number, message: string, fix?: string) {
    const place = at >= text.length ? '公式末尾' : `第 ${Array.from(text.slice(0, at)).length + 1} 个字符`
    super(`${place}：${message}`)
    this.fault = { at, length, message: this.message, ...(fix === undefined ? {} : { fix }) }
  }
}

/**
 * Why a sound formula gives no amount for certain values (FEE-23): a skip with its reason, never a silent
 * zero.
 */
export type CalculationErrorCause = 'missing' | 'divisor' | 'range' | 'argument'

export class CalculationError extends Error {
  readonly why: CalculationErrorCause
  /** The variable without a value. */
  readonly variable: string | undefined
  constructor(cause: CalculationErrorCause, message: string, variable?: string) {
    super(message)
    this.why = cause
    this.variable = variable
  }
}
