"""Names the packages of decks, fonts and table pictures that no card network was trained on, by set of fresh.py."""

DECKS = {
    "choose": ("standard", "xskat-french"),
    "count": ("ancient-egyptians", "jolly-royal", "oxygen", "oxygen-air", "oxygen-white"),
    "fourth": ("penguins",),
}
"""Those of Debian's kdegames-card-data-kf5 that are drawn otherwise than all decks of the training."""
PACKS = {"last": ("@letele/playing-cards@0.1.0", "@younestouati/playing-cards-standard-deck@3.0.0")}
"""Decks of npm."""
FONTS = {
    "choose": (
        "fonts-cardo",
        "fonts-gfs-artemisia",
        "fonts-mph-2b-damase",
        "fonts-ocr-b",
        "fonts-solide-mirage",
        "fonts-thai-tlwg",
        "fonts-tomsontalks",
        "fonts-yrsa-rasa",
    ),
    "count": (
        "fonts-3270",
        "fonts-agave",
        "fonts-breip",
        "fonts-gfs-complutum",
        "fonts-gfs-olga",
        "fonts-inter",
        "fonts-lobstertwo",
        "fonts-mononoki",
        "fonts-opendyslexic",
        "fonts-tiresias",
        "fonts-vlgothic",
    ),
    "last": (
        "fonts-amiga",
        "fonts-anonymous-pro",
        "fonts-comic-neue",
        "fonts-elstob",
        "fonts-eurofurence",
        "fonts-gfs-baskerville",
        "fonts-gnutypewriter",
        "fonts-hermit",
        "fonts-junction",
        "fonts-morisawa-bizud-mincho",
        "fonts-oxygen",
        "fonts-rocknroll",
        "fonts-ubuntu-title",
    ),
    "fourth": (
        "fonts-ecolier-court",
        "fonts-gemunu-libre",
        "fonts-havana",
        "fonts-joscelyn",
        "fonts-karmilla",
        "fonts-klee",
        "fonts-le-murmure",
        "fonts-levien-typoscript",
        "fonts-morisawa-bizud-gothic",
        "fonts-mplus",
        "fonts-naver-d2coding",
        "fonts-summersby",
    ),
    "fifth": (
        "fonts-femkeklaver",
        "fonts-gotico-antiqua",
        "fonts-ipaexfont-gothic",
        "fonts-ipaexfont-mincho",
        "fonts-lemonada",
        "fonts-motoya-l-maruberi",
        "fonts-sawarabi-gothic",
        "fonts-sawarabi-mincho",
        "fonts-sil-annapurna",
        "fonts-sil-harmattan",
        "fonts-sil-padauk",
        "fonts-smc-gayathri",
        "fonts-smiley-sans",
    ),
    "sixth": (
        "fonts-baekmuk",
        "fonts-kaushanscript",
        "fonts-lg-aboriginal",
        "fonts-migmix",
        "fonts-nanum",
        "fonts-sil-abyssinica",
        "fonts-sil-lateef",
        "fonts-sil-mondulkiri",
        "fonts-smc-chilanka",
        "fonts-smc-manjari",
        "fonts-umeplus",
    ),
    "seventh": (
        "fonts-dancingscript",
        "fonts-kiloji",
        "fonts-monapo",
        "fonts-ricty-diminished",
        "fonts-sil-alkalami",
        "fonts-sil-dai-banna",
        "fonts-sil-sophia-nubian",
        "fonts-smc-karumbi",
        "fonts-unfonts-core",
        "fonts-wqy-zenhei",
    ),
}
PLAIN = {
    "fifth": (("sawarabi-gothic", "ipaexfont-gothic"), ("sawarabi-mincho", "ipaexfont-mincho")),
    "sixth": (("sil-abyssinica", "migmix"), ("smc-manjari", "umeplus")),
    "seventh": (("sil-dai-banna", "ricty-diminished"), ("sil-sophia-nubian", "unfonts-core")),
}
"""Decks drawn by plain.py: the package of the letters, and that of the suits."""
KDE_DECKS = "kdegames-card-data-kf5"
USUAL_BACKGROUNDS = ("gnome-backgrounds", "mate-backgrounds")
BACKGROUNDS = {
    "fifth": ("lomiri-wallpapers-16.04", "lomiri-wallpapers-20.04", "sway-backgrounds"),
    "sixth": ("ukui-wallpapers",),
    "seventh": ("plasma-workspace-wallpapers",),
}
"""Packages of table pictures, where they are not the usual ones."""
