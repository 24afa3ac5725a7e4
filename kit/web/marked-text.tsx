interface Props {
  readonly text: string
  /** Positions in the text that answer to what was typed. */
  readonly marks?: readonly number[] | undefined
}

/** A text with what was found in it marked; neighbouring letters under one mark. */
export function MarkedText({ text, marks = [] }: Props) {
  const marked = new Set(marks)
  const runs: { text: string; isMarked: boolean }[] = []
  let at = 0
  for (const letter of text) {
    const isMarked = marked.has(at)
    const last = runs.at(-1)
    if (last?.isMarked === isMarked) {
      last.text += letter
    } else {
      runs.push({ text: letter, isMarked })
    }
    at += letter.length
  }
  return runs.map((run, i) => (run.isMarked ? <mark key={i}>{run.text}</mark> : run.text))
}
