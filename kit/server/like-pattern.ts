/** A text as part of a pattern of `like`, which its own `%` and `_` are no signs of. Needs `escape '\\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, c => `\\${c}`)

/** The pattern of `like` for what contains a text. */
export const containsPattern = (text: string): string => `%${escapeLike(text)}%`
