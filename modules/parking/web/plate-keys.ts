// 使 begins the plates of embassies, which have no province.
export const firstKeys = [...'京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新使']
/** Without I, which no plate has; O is the letter of an office. */
export const nextKeys = [...'1234567890QWERTYUOPASDFGHJKLZXCVBNM学警港澳领挂试超使']

/** As many characters as a plate of a new-energy car has, and as the shortest has. */
export const maxPlateLength = 8
const minLength = 7

export const isWholePlate = (plateNo: string): boolean => plateNo.length >= minLength
