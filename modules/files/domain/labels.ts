import { maxLabelLength, maxLabels } from '../contract/limits.ts'

/** A label as it is kept: composed and trimmed, so that one word is one label. */
export const storedLabel = (label: string): string => label.normalize('NFC').trim()

/** Labels as they are kept, each once (0§5: a label that is there already is ignored). */
export const cleanLabels = (labels: readonly string[]): string[] => [
  ...new Set(labels.map(storedLabel).filter(Boolean)),
]

/** Why these labels may not be on a file; nothing when they may (FILE-7). */
export function labelFault(labels: readonly string[]): string | undefined {
  if (labels.length > maxLabels) return `最多 ${maxLabels} 个标签，请先删除不用的标签`
  const long = labels.find(label => [...label].length > maxLabelLength)
  if (long !== undefined) return `标签「${long}」超过 ${maxLabelLength} 个字`
  return labels.some(label => label.includes(',')) ? '标签不能包含逗号' : undefined
}
