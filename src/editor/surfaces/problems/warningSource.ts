/** What stands behind the problems of this extension in the Problems view. */
export const warningSource = 'Kymo';
