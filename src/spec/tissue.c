#include <tactus/scene.h>

#include <stddef.h>
#include <string.h>
#include "spec/tissue.h"

#define KPA 1e3
#define MPA 1e6
#define GPA 1e9
/* Soft tissue has 0.49 and more; nearer to 0.5, linear elements lock and boundary elements lose digits. A dent is
 * 1 - 0.45^2 against 1 - 0.5^2 of the modulus: 6 % softer than without any change of volume. */
#define SOFT 0.45

/* Densities of tissues: Hasgall et al., IT'IS database for thermal and electromagnetic parameters of biological tissues. Where a
 * source measures shear, E = 3 mu, as it does itself for what keeps its volume. */
static const tacTissue tissues[] = {
    {"liver", 5.5 * KPA, 3.3 * KPA, 20.0 * KPA, SOFT, 1079.0, "Roulot et al. 2008, Journal of Hepatology 48:606-613",
     "429 healthy people by transient elastography, 5.5 +/- 1.6 kPa; slow aspiration in surgery gives about 20 kPa "
     "(Nava et al. 2008, Medical Image Analysis 12:203-216); fibrosis makes it stiffer, cirrhosis above 12 kPa"},
    {"kidney", 15.0 * KPA, 10.0 * KPA, 28.0 * KPA, SOFT, 1066.0,
     "Rouviere et al. 2011, Journal of Magnetic Resonance Imaging 34:880-886",
     "shear modulus 4.9 kPa at 45 Hz and 9.4 kPa at 76 Hz in ten people; it softens when the blood leaves it"},
    {"spleen", 11.0 * KPA, 7.0 * KPA, 17.0 * KPA, SOFT, 1089.0,
     "Talwalkar et al. 2009, American Journal of Roentgenology 193:122-127",
     "shear stiffness 3.6 +/- 0.3 kPa at 60 Hz; 2.4 to 5.6 kPa in Mannelli et al. 2010, AJR 195:387-392"},
    {"brain", 1.6 * KPA, 1.0 * KPA, 3.0 * KPA, SOFT, 1046.0,
     "Budday et al. 2015, Journal of the Mechanical Behavior of Biomedical Materials 46:318-330",
     "slow indentation of bovine slices: white matter 1.9 kPa, grey matter 1.4 kPa; faster loads are answered stiffer, "
     "and compression stiffer than tension"},
    {"heart", 18.0 * KPA, 10.0 * KPA, 55.0 * KPA, SOFT, 1081.0,
     "Berry et al. 2006, American Journal of Physiology Heart 290:H2196-H2203",
     "relaxed rat myocardium by indentation, 18 +/- 2 kPa, 55 kPa in a scar; contraction makes it several times "
     "stiffer"},
    {"muscle", 12.0 * KPA, 8.0 * KPA, 17.0 * KPA, SOFT, 1090.0,
     "Engler et al. 2004, Journal of Cell Biology 166:877-887",
     "relaxed skeletal muscle across its fibres; along them, and in contraction, several times stiffer"},
    {"fat", 3.25 * KPA, 1.0 * KPA, 18.0 * KPA, SOFT, 911.0,
     "Samani et al. 2007, Physics in Medicine and Biology 52:1565-1576",
     "fat of the breast, 3.25 +/- 0.91 kPa; Krouskop et al. 1998, Ultrasonic Imaging 20:260-274, has 18 kPa; porcine "
     "fat 1 kPa (Comley and Fleck 2010, International Journal of Solids and Structures 47:2982-2990)"},
    {"breast-gland", 3.24 * KPA, 2.6 * KPA, 35.0 * KPA, SOFT, 1041.0,
     "Samani et al. 2007, Physics in Medicine and Biology 52:1565-1576",
     "fibroglandular tissue, 3.24 +/- 0.61 kPa; Krouskop et al. 1998 have 28 to 35 kPa at 5 % precompression"},
    {"breast-tumour", 42.5 * KPA, 20.0 * KPA, 100.0 * KPA, SOFT, 1041.0,
     "Samani et al. 2007, Physics in Medicine and Biology 52:1565-1576",
     "high-grade invasive ductal carcinoma, 42.5 +/- 12.5 kPa: a lump to look for in fat or gland"},
    {"prostate", 16.0 * KPA, 10.0 * KPA, 62.0 * KPA, SOFT, 1045.0,
     "Zhang et al. 2008, Ultrasound in Medicine and Biology 34:1033-1042",
     "15.9 +/- 5.9 kPa at 150 Hz, cancer 40.4 kPa; Krouskop et al. 1998 have 55 to 62 kPa, cancer 96 kPa"},
    {"uterus", 30.0 * KPA, 30.0 * KPA, 90.0 * KPA, SOFT, 1105.0,
     "Kiss et al. 2006, Physics in Medicine and Biology 51:3683-3695",
     "about 30 kPa at 0.1 Hz to 90 kPa at 100 Hz, 1 to 2 % of compression, 24 patients; fibroids 60 to 220 kPa"},
    {"lung", 3.4 * KPA, 2.0 * KPA, 5.5 * KPA, 0.4, 394.0,
     "Mariappan et al. 2011, Journal of Magnetic Resonance Imaging 33:1351-1361",
     "shear stiffness 1.14 kPa breathed out, 1.83 kPa breathed in; the density is of an inflated lung, and air makes "
     "it compressible: Poisson's ratio is a guess"},
    {"skin", 8.0 * KPA, 4.5 * KPA, 850.0 * KPA, SOFT, 1109.0,
     "Pailler-Mattei et al. 2008, Medical Engineering and Physics 30:599-606",
     "pressed in, of the forearm: 4.5 to 8 kPa; twisted or stretched in its plane a hundred times as stiff, 420 to 850 "
     "kPa (Agache et al. 1980, Archives of Dermatological Research 269:221-232)"},
    {"artery", 750.0 * KPA, 300.0 * KPA, 1000.0 * KPA, SOFT, 1102.0, "Riley et al. 1992, Stroke 23:952-956",
     "wall of the carotid along its circumference under blood pressure: 701 and 771 kPa at 45 to 49 years, 965 and 983 "
     "kPa at 60 to 64; unloaded it is softer"},
    {"cartilage", 0.6 * MPA, 0.5 * MPA, 0.7 * MPA, 0.1, 1100.0,
     "Athanasiou et al. 1991, Journal of Orthopaedic Research 9:330-340",
     "human knee after the water has left (aggregate modulus 0.5 to 0.7 MPa); in the first second it keeps its volume "
     "and is several times stiffer"},
    {"tendon", 1.2 * GPA, 0.3 * GPA, 1.5 * GPA, 0.4, 1142.0,
     "Maganaris and Paul 1999, Journal of Physiology 521:307-313",
     "tibialis anterior along its fibres, in vivo; far softer across, which an isotropic material cannot say"},
    {"bone", 17.0 * GPA, 11.5 * GPA, 20.7 * GPA, 0.3, 1908.0,
     "Reilly and Burstein 1975, Journal of Biomechanics 8:393-405",
     "compact bone, 17 GPa along and 11.5 GPa across; 20.7 GPa by ultrasound (Rho et al. 1993, Journal of Biomechanics "
     "26:111-119). A device renders it as rigid"},
    {"cornea", 290.0 * KPA, 250.0 * KPA, 1300.0 * KPA, SOFT, 1051.0, "Pye 2020, PLOS ONE 15:e0224824",
     "100 young people by tonometry, 0.25 to 0.29 MPa; strips give 0.8 to 1.3 MPa at 4 to 6 % strain (Wollensak et al. "
     "2003, Journal of Cataract and Refractive Surgery 29:1780-1785)"},
    {"eye-lens", 1.5 * KPA, 0.75 * KPA, 3.0 * KPA, SOFT, 1076.0, "Fisher 1971, Journal of Physiology 212:147-180",
     "0.75 kPa at birth to 3 kPa at 63 years; other ways to measure give ten times more at old age"},
    {"gelatine", 12.5 * KPA, 6.0 * KPA, 31.0 * KPA, SOFT, 1010.0,
     "Nguyen et al. 2014, Ultrasound in Medicine and Biology 40:168-176",
     "phantom of 5 % gelatine, shear modulus 4.2 kPa; 2.0 kPa of 3 %, 10.2 kPa of 7 %; density by its water"},
    {"ecoflex-00-30", 69.0 * KPA, 50.0 * KPA, 125.0 * KPA, 0.49, 1070.0,
     "Smooth-On, technical bulletin of the Ecoflex series",
     "silicone; the sheet's stress at 100 % of stretch, 10 psi: a secant. A neo-Hookean solid with it begins at 118 "
     "kPa"},
    {"pdms", 1.32 * MPA, 1.32 * MPA, 2.97 * MPA, 0.49, 1030.0,
     "Johnston et al. 2014, Journal of Micromechanics and Microengineering 24:035017",
     "Sylgard 184, 10:1, cured at room temperature; up to 2.97 MPa where cured at 200 degrees"},
    {"rubber", 1.2 * MPA, 1.0 * MPA, 5.0 * MPA, 0.49, 950.0,
     "Treloar 1944, Transactions of the Faraday Society 40:59-70",
     "soft vulcanised natural rubber, shear modulus 0.4 MPa; fillers make it stiffer"},
    {"steel", 210.0 * GPA, 190.0 * GPA, 210.0 * GPA, 0.3, 7850.0, "EN 1993-1-1:2005, 3.2.6",
     "structural steel; stainless instruments about 193 GPa. A device renders it as rigid"},
};
enum { TISSUE_COUNT = sizeof tissues / sizeof *tissues };

int tac_tissue_count(void) {
  return TISSUE_COUNT;
}

const tacTissue *tac_tissue_info(int index) {
  return index >= 0 && index < TISSUE_COUNT ? &tissues[index] : NULL;
}

const tacTissue *tac_tissue_find(const char *name) {
  for (int i = 0; i < TISSUE_COUNT; ++i)
    if (strcmp(tissues[i].name, name) == 0) return &tissues[i];
  return NULL;
}
