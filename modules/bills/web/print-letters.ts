import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { confirmLettersPrinted, printDemandLetters } from '../contract/reminder.ts'
import { openPrintPage } from './print.ts'

/** A letter counts as sent only once the person says that it was printed (URG-6). */
export async function confirmPrinted(ids: readonly string[]): Promise<boolean> {
  const isPrinted = await confirm({
    title: '催缴函是否已打印？',
    text: `打印完成后确认，${ids.length} 条催缴才记为成功；未打印的留在「待发」，可以再打印`,
    okLabel: '已打印',
    cancelLabel: '未打印',
  })
  if (!isPrinted) return false
  toastResult(await sendAndInvalidate(confirmLettersPrinted, { ids }), '已确认打印')
  return true
}

/** Opens the letters; asks afterwards whether those that wait for it were printed. */
export async function printLetters(ids: readonly string[], waiting = ids): Promise<boolean> {
  openPrintPage(printDemandLetters, { ids })
  return waiting.length > 0 && confirmPrinted(waiting)
}

/** After letters were registered: what is left to do is to print them. */
export async function offerToPrint(message: string, ids: readonly string[]): Promise<void> {
  const isWanted = await confirm({
    title: '是否打印催缴函？',
    text: `${message}；也可以以后在催缴管理中打印`,
    okLabel: '打印催缴函',
    cancelLabel: '以后打印',
  })
  if (isWanted) {
    await printLetters(ids)
  }
}
