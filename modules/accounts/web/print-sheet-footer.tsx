import { formatCopyName, getPaperDimensions } from '../domain/print-settings.ts'
import type { PrintPaper } from './print-sheet.tsx'

/** A roll: what is side by side elsewhere is below each other. */
export const isNarrow = (s: PrintPaper): boolean => getPaperDimensions(s)[0] < 100

/** Whom and where to ask, as the company's settings say; empty where they say nothing. */
export const contactText = ({ companyContact, companyPhone, companyAddress }: PrintPaper): string =>
  [
    ['联系人', companyContact],
    ['联系电话', companyPhone],
    ['地址', companyAddress],
  ]
    .filter(([, value]) => value)
    .map(pair => pair.join('：'))
    .join('　')

interface SheetFooterProps {
  readonly setting: PrintPaper
  readonly text: string | undefined
  /** How the company is reached; empty where it is not shown. */
  readonly contact: string
  readonly copy: number
  readonly page: readonly [n: number, of: number]
  /** When it was printed, with its label; empty where it is not shown. */
  readonly printedAt: string
}

export const SheetFooter = ({
  setting,
  text,
  contact,
  copy,
  page: [page, of],
  printedAt,
}: SheetFooterProps) => (
  <footer>
    {text && <p>{text}</p>}
    {contact && isNarrow(setting) && <p>{contact}</p>}
    <div>
      {setting.copies > 1 ? <span>{formatCopyName(copy, setting.copyNames)}</span> : <span />}
      {contact && !isNarrow(setting) && <span className="print-contact">{contact}</span>}
      {of > 1 && (
        <span>
          第 {page}/{of} 页
        </span>
      )}
      {printedAt && <span>{printedAt}</span>}
    </div>
  </footer>
)
