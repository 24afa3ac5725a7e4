import { subtractFen, type Fen } from '#kit/domain/money.ts'

/** What may leave an account: without what refunds under approval have reserved (REF-1). */
export const availableOf = ({
  balance,
  refunding,
}: {
  readonly balance: Fen
  readonly refunding: Fen
}): Fen => subtractFen(balance, refunding)
