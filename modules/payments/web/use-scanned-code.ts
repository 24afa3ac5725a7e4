import { useEffect, useRef, type RefObject } from 'react'
import { toast } from '#kit/web/toast.ts'
import type { PayerCode } from './use-payer-code.ts'

/** The payment that is shown, for what a scanner reads anywhere on the screen. */
export interface ScanTarget {
  readonly isScanChosen: boolean
  readonly read: (code: string) => void
}

interface ScannedCodeOptions {
  readonly payerCode: PayerCode
  /** The company has a channel for payers' codes. */
  readonly isOffered: boolean
  /** 扫码枪 is the method. */
  readonly isChosen: boolean
  readonly hasBills: boolean
  readonly onTurn: () => void
  readonly onStart: (code: string) => void
}

/**
 * A payer's code turns the method to 扫码枪; whether money is taken is still the cashier's decision. Where the
 * cashier has chosen that method, the code starts the payment.
 */
export function useScannedCode(
  scanTarget: RefObject<ScanTarget | undefined>,
  options: ScannedCodeOptions,
): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const read = (code: string): void => {
      const { payerCode, isOffered, isChosen, hasBills, onTurn, onStart } = latest.current
      if (!isOffered) return toast.warning('未启用微信支付或支付宝，不能使用付款码')
      if (!hasBills) return toast.warning('请先勾选账单，再扫付款码')
      if (isChosen && !payerCode.hasChosenMethod) {
        payerCode.clear()
        return onStart(code)
      }
      payerCode.read(code, isChosen)
      onTurn()
    }
    scanTarget.current = {
      get isScanChosen() {
        return latest.current.isChosen
      },
      read,
    }
    return () => {
      scanTarget.current = undefined
    }
  }, [scanTarget])
}
