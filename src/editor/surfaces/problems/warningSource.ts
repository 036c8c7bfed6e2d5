/** Source of this extension's problems in the Problems view. */
export const warningSource = 'Kymo';
