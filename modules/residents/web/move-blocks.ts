import type { MoveStep } from '../contract/move-step.ts'

const maxLinks = 3

interface MoveBlock {
  readonly key: string
  readonly title: string
  readonly reason: string
  /** Where it is settled. */
  readonly links: readonly { readonly label: string; readonly to: string }[]
}

/** What is in the way of a move, with the ways to settle it: it stands above the parts. */
export const findMoveBlocks = (steps: readonly MoveStep[]): MoveBlock[] =>
  steps.flatMap(({ key, title, blocks, lines }) =>
    blocks
      ? [
          {
            key,
            title,
            reason: blocks,
            links: lines.flatMap(({ label, to }) => (to ? [{ label, to }] : [])).slice(0, maxLinks),
          },
        ]
      : [],
  )
