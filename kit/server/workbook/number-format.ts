import { defined } from '#kit/domain/defined.ts'
import { dayFromExcelSerial } from '#kit/domain/day.ts'
import type { CellKind } from './worksheet.ts'

/** How a number with one format is read. Made once per format, used for each cell. */
export type NumberReader = (n: number) => { kind: CellKind; text: string }

/**
 * Formats that files name by number only; the Chinese ones (27–36, 50–58) are what Excel and WPS write for
 * 短日期 and its kin.
 */
const builtInFormats: Record<number, string> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy/m/d',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy/m/d h:mm',
  27: 'yyyy年m月',
  28: 'm月d日',
  29: 'm月d日',
  30: 'm-d-yy',
  31: 'yyyy年m月d日',
  32: 'h时mm分',
  33: 'h时mm分ss秒',
  34: 'h时mm分',
  35: 'h时mm分ss秒',
  36: 'yyyy年m月',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  50: 'yyyy年m月',
  51: 'm月d日',
  52: 'yyyy年m月',
  53: 'm月d日',
  54: 'm月d日',
  55: 'h时mm分',
  56: 'h时mm分ss秒',
  57: 'yyyy年m月',
  58: 'm月d日',
}

/** `id` and `code` as styles name them; `epoch1904` for the old Macintosh calendar. */
export function numberReader(id: number, code: string | undefined, epoch1904: boolean): NumberReader {
  const section = defined((code ?? builtInFormats[id] ?? '').split(';', 1)[0])
  const elapsed = /\[h+\]/i.test(section)
  const shown = section
    .replace(/\\.|"[^"]*"|[_*].|\[[^\]]*\]/g, '')
    .replace(/general/i, '')
    .replace(/AM\/PM|A\/P/gi, '')
    .toLowerCase()
  if (elapsed) return readElapsedTime
  if (/[ymdhs]/.test(shown))
    return dateReader(/y/.test(shown), /d/.test(shown), /[hs]/.test(shown), epoch1904)
  if (shown.includes('%'))
    return n => ({ kind: 'number', text: formatPlainNumber(Number((n * 100).toPrecision(15))) + '%' })
  if (/^0{2,}$/.test(shown))
    return value => ({
      kind: 'number',
      text:
        Number.isInteger(value) && value >= 0
          ? formatPlainNumber(value).padStart(shown.length, '0')
          : formatPlainNumber(value),
    })
  return readPlainNumber
}

export const readPlainNumber: NumberReader = n => ({ kind: 'number', text: formatPlainNumber(n) })

/**
 * Without exponent, at the 15 digits that Excel shows: 0.1 + 0.2 is `0.3`, 1.3812345678E10 is `13812345678`.
 */
export function formatPlainNumber(value: number): string {
  const exact = value === 0 ? '0' : String(value)
  // Sixteen characters with point or sign hold at most fifteen digits.
  if (exact.length <= 15 && !exact.includes('e')) return exact
  const text = String(Number(value.toPrecision(15)))
  const power = text.indexOf('e')
  if (power < 0) return text
  const exponent = Number(text.slice(power + 1))
  if (Math.abs(exponent) > 40) return text
  const sign = value < 0 ? '-' : ''
  const digits = text.slice(sign.length, power).replace('.', '')
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
    : sign + digits.padEnd(exponent + 1, '0')
}

const lastSerial = 2958465 // 9999-12-31

function dateReader(year: boolean, day: boolean, time: boolean, epoch1904: boolean): NumberReader {
  return value => {
    const serial = value + (epoch1904 ? 1462 : 0)
    if (!(serial >= 0 && serial < lastSerial + 1)) return { kind: 'number', text: formatPlainNumber(value) }
    const seconds = Math.round(serial * 86400)
    const whole = Math.floor(seconds / 86400)
    const clock = formatClock(seconds - whole * 86400)
    if (time && whole === 0) return { kind: 'date', text: clock }
    const date = formatDate(whole)
    if (time) return { kind: 'date', text: `${date} ${clock}` }
    return { kind: 'date', text: year && !day ? date.slice(0, 7) : date }
  }
}

const readElapsedTime: NumberReader = value => {
  const seconds = Math.round(Math.abs(value) * 86400)
  const rest = formatClock(seconds % 3600).slice(3)
  return {
    kind: 'date',
    text: `${value < 0 ? '-' : ''}${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${rest}`,
  }
}

const padTwo = (n: number) => (n < 10 ? '0' : '') + n
const formatClock = (s: number) =>
  `${padTwo(Math.floor(s / 3600))}:${padTwo(Math.floor(s / 60) % 60)}:${padTwo(s % 60)}`

/**
 * Two numbers are days only to Excel. They stay as it shows them; no calendar takes them, so they are refused
 * later.
 */
const formatDate = (serial: number): string =>
  dayFromExcelSerial(serial) ?? (serial === 60 ? '1900-02-29' : '1900-01-00')
